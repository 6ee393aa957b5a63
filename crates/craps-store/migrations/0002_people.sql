-- Yes and no are 1 and 0, as both databases take them.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    disabled BIGINT NOT NULL,
    created BIGINT NOT NULL
);

-- No table: all of them. No start or end: no shift binds it.
CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    role TEXT NOT NULL,
    table_id TEXT,
    starts BIGINT,
    ends BIGINT
);
CREATE INDEX grants_by_account ON grants (account);

-- A session may be a guest's, who has no account.
CREATE TABLE sessions (
    token TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES accounts (id),
    scopes TEXT NOT NULL,
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT
);
CREATE INDEX tokens_by_account ON tokens (account);

CREATE TABLE limits (
    account TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    changed BIGINT NOT NULL
);
