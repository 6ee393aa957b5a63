-- The end of every log. It is written together with the rows, so that nobody has to look for it in a long log.
CREATE TABLE ends (
    table_id TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    at BIGINT NOT NULL
);

INSERT INTO ends (table_id, seq, hash, at)
SELECT log.table_id, log.seq, log.hash, log.at
FROM log JOIN (SELECT table_id AS t, max(seq) AS last FROM log GROUP BY table_id) AS newest
ON log.table_id = t AND log.seq = last;

-- A row that is written again and again, to prove that the database takes writes.
CREATE TABLE proof (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    at BIGINT NOT NULL
);
