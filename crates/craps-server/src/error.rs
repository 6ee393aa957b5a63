//! Errors as clients get them: a code, a message, and the section of the law if one applies.

use crate::faults;
use crate::live::Refused;
use crate::live::pit::{NotDone, OpenError};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use craps_notation::talk::AskBack;
use craps_store::StoreError;
use craps_table::Instead;
use serde::Serialize;

/// An error, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Problem {
    /// Stable code for programs, such as `refused` or `not-found`.
    pub code: &'static str,
    /// Message for people: what is wrong and what would work.
    pub message: String,
    /// The sections behind it, if the law decides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cite: Option<String>,
    /// Details of a refusal by the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Box<Why>>,
    /// What could be said instead, if rail talk wasn't understood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
}

/// Why the table refuses something, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Why {
    /// What the refusal is based on: `law`, `house`, `procedure` or `impossible`.
    pub ground: &'static str,
    /// Stable code, such as `below-minimum`.
    pub code: &'static str,
    /// Key of the house rule, such as `limits.min`, if the house refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The sections, if the law refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cite: Option<String>,
    /// What the table would accept instead.
    pub instead: Vec<Offer>,
}

/// Something that the table would accept instead of what it refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Offer {
    /// Text for a button, such as `Bet $12`.
    pub text: String,
    /// Code of the bet. None if the offer is to wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bet: Option<String>,
    /// Amount in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// What to do: `bet`, `down` or `wait`.
    pub op: &'static str,
    /// Rail talk that does the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
}

impl From<&Refused> for Why {
    fn from(refused: &Refused) -> Why {
        let offer = |instead: &Instead| Offer {
            text: instead.text(),
            bet: instead.bet().map(|bet| bet.code()),
            amount: instead.amount().map(|amount| amount.money().minor()),
            op: instead.op(),
            say: instead.say(),
        };
        Why {
            ground: refused.ground(),
            code: refused.code(),
            key: refused.key().map(ToOwned::to_owned),
            cite: Some(refused.cites().to_string()).filter(|cite| !cite.is_empty()),
            instead: refused.instead().iter().map(offer).collect(),
        }
    }
}

/// An error with its HTTP status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    problem: Problem,
    /// Value of the `Retry-After` header, in seconds.
    retry_after: Option<u32>,
}

impl ApiError {
    /// Creates an error with a status, a code and a message.
    #[must_use]
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            problem: Problem { code, message: message.into(), cite: None, refusal: None, suggestions: Vec::new() },
            retry_after: None,
        }
    }

    /// The request can't be understood.
    #[must_use]
    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    /// Nothing exists under that name.
    #[must_use]
    pub fn not_found(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// The person may not do this.
    #[must_use]
    pub fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// The request needs someone who is signed in.
    #[must_use]
    pub fn unauthorized(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "sign-in", message)
    }

    /// Creates an error that asks the client to try again after `seconds`.
    #[must_use]
    pub fn later(status: StatusCode, code: &'static str, message: impl Into<String>, seconds: u32) -> ApiError {
        ApiError { retry_after: Some(seconds), ..ApiError::new(status, code, message) }
    }

    /// Adds a sentence to the message.
    #[must_use]
    pub(crate) fn and(mut self, advice: &str) -> ApiError {
        self.problem.message = format!("{} {advice}", self.problem.message);
        self
    }

    /// Returns the HTTP status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Counts the error for the metrics. Codes come from the program, never from a client.
    pub(crate) fn count(&self) {
        let why = self.problem.refusal.as_ref().map_or("", |why| why.code);
        metrics::counter!("boxperson_refused_total", "code" => self.problem.code, "why" => why).increment(1);
    }

    /// Returns the body of the error.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> ApiError {
        let mut error = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", refused.sentence());
        let why = Why::from(&refused);
        error.problem.cite.clone_from(&why.cite);
        error.problem.refusal = Some(Box::new(why));
        error
    }
}

impl From<AskBack> for ApiError {
    fn from(ask: AskBack) -> ApiError {
        let mut error = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "ask-back", ask.message);
        error.problem.suggestions = ask.suggestions;
        error
    }
}

impl From<NotDone> for ApiError {
    fn from(not_done: NotDone) -> ApiError {
        let message = not_done.to_string();
        match not_done {
            NotDone::Refused(refused) => refused.into(),
            NotDone::NoSeat | NotDone::Forbidden(_) => ApiError::forbidden(message),
            NotDone::Invalid(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message),
            NotDone::NotFunded(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no-funds", message),
            NotDone::Malformed(_) => ApiError::bad_request(message),
            NotDone::OwnLimit(_) => ApiError::new(StatusCode::FORBIDDEN, "own-limit", message),
            NotDone::Asked(ask) => ask.into(),
            NotDone::Reading => ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "reading", message, 2),
            NotDone::Witness(_) => ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "witness", message, 2),
            NotDone::Busy => ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", message, 1),
            NotDone::Closing => ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "closing", message, 5),
            NotDone::NoTable(_) => ApiError::not_found(message),
            NotDone::Store(_) | NotDone::Unsure(_) => {
                ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "store", message, 1)
            }
            NotDone::OtherRequest(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "key-used", message),
            NotDone::Unwritable(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unwritable", message),
            NotDone::Stopped(_) => ApiError::new(StatusCode::CONFLICT, "stopped", message),
        }
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> ApiError {
        let message = error.to_string();
        match error {
            OpenError::Rules(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unlawful", message),
            OpenError::Taken(_) => ApiError::new(StatusCode::CONFLICT, "taken", message),
            OpenError::Store(_) => ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "store", message, 1),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        // Messages of the database go to the log, not to the client.
        let fault = error.fault();
        faults::report(&fault);
        let words = format!("The store can't be used now: {}. Try again in a moment.", fault.kind.what());
        ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "store", words, 1)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.count();
        let mut response = (self.status, Json(self.problem)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
