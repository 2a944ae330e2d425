CREATE TABLE IF NOT EXISTS remembered.releases (
  number BIGINT,
  name VARCHAR,
  location VARCHAR,
  hash VARCHAR,
  evaluated_at TIMESTAMP WITH TIME ZONE,
  released BOOLEAN,
  level VARCHAR,
  people BIGINT,
  named BIGINT,
  at_least BIGINT,
  false_discovery DOUBLE,
  names VARCHAR[]
)
