export const schemaVersion = 1

/**
 * `broker_cursors`: how far a group is in a partition, and which member reads it. `owner` may move `committed` while it holds
 * `epoch`, which grows with each change of owner. `generation` grows whenever members of a group must rebalance. Times are
 * epoch milliseconds.
 */
export const ddl = `
  CREATE TABLE broker_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO broker_identity VALUES (lower(hex(randomblob(16))));

  CREATE TABLE broker_topics (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    retention_millis INTEGER
  ) STRICT;

  CREATE TABLE broker_partitions (
    id INTEGER PRIMARY KEY,
    topic_id INTEGER NOT NULL REFERENCES broker_topics (id),
    number INTEGER NOT NULL,
    start_offset INTEGER NOT NULL DEFAULT 0,
    end_offset INTEGER NOT NULL DEFAULT 0,
    UNIQUE (topic_id, number)
  ) STRICT;

  CREATE TABLE broker_records (
    partition_id INTEGER NOT NULL REFERENCES broker_partitions (id),
    offset INTEGER NOT NULL,
    taken_at INTEGER NOT NULL,
    key TEXT,
    headers TEXT NOT NULL,
    value ANY NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX broker_records_by_offset ON broker_records (partition_id, offset);

  CREATE TABLE broker_groups (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE broker_members (
    group_id INTEGER NOT NULL REFERENCES broker_groups (id),
    member TEXT NOT NULL,
    topic_ids TEXT NOT NULL,
    alive_until INTEGER NOT NULL,
    PRIMARY KEY (group_id, member)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE broker_cursors (
    group_id INTEGER NOT NULL REFERENCES broker_groups (id),
    partition_id INTEGER NOT NULL REFERENCES broker_partitions (id),
    committed INTEGER NOT NULL,
    owner TEXT,
    epoch INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, partition_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX broker_cursors_by_partition ON broker_cursors (partition_id, committed);
`
