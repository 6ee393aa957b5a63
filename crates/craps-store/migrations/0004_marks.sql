-- States of tables, saved every thousand rows. They are also the index of a long log: a roll or a hand is found from the last state before it.
-- A state counts only if a later row of the log has its digest; `confirmed` is the number of that row.
DROP TABLE snapshots;
CREATE TABLE marks (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    rolls BIGINT NOT NULL,
    hand BIGINT NOT NULL,
    confirmed BIGINT,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);
CREATE INDEX marks_by_roll ON marks (table_id, rolls);
CREATE INDEX marks_by_hand ON marks (table_id, hand);

-- What the lobby shows of each table, as of row `seq`.
CREATE TABLE cards (
    table_id TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    body TEXT NOT NULL
);
