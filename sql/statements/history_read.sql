SELECT number, name, location, hash, evaluated_at, released, level, people, named, at_least, false_discovery, names
FROM history.releases
ORDER BY number
