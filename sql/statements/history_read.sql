SELECT number, name, location, hash, evaluated_at, released, level, people, named, at_least, false_discovery, names
FROM remembered.releases
ORDER BY number
