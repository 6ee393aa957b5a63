-- The second factor of an account. Its secret follows from `nonce` and the sealing key, which is outside the database; `seal` says which key that was.
-- `confirmed` is empty until a code has shown that the person has the secret. `step` is the time step of the last code that was used, and `recovery`
-- has the hashes of the recovery codes that are left.
CREATE TABLE factors (
    account TEXT PRIMARY KEY REFERENCES accounts (id),
    nonce TEXT NOT NULL,
    seal TEXT NOT NULL,
    created BIGINT NOT NULL,
    confirmed BIGINT,
    step BIGINT NOT NULL,
    recovery TEXT NOT NULL
);

-- When the second factor was shown, if the session was opened with one.
ALTER TABLE sessions ADD COLUMN factor BIGINT;
