-- Plain SQL that SQLite and PostgreSQL both run. Hashes, keys and secrets are lower-case hex.
CREATE TABLE store (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL
);

CREATE TABLE log (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    client TEXT NOT NULL,
    key TEXT,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);

-- Rows without a key are no command of a client; they do not count here.
CREATE UNIQUE INDEX log_by_key ON log (table_id, client, key) WHERE key IS NOT NULL;

CREATE TABLE snapshots (
    table_id TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE secrets (
    table_id TEXT NOT NULL,
    hand BIGINT NOT NULL,
    secret TEXT NOT NULL,
    PRIMARY KEY (table_id, hand)
);

CREATE TABLE heads (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    at BIGINT NOT NULL,
    public_key TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (table_id, seq, public_key)
);
