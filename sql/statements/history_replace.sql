DELETE FROM remembered.releases WHERE number = ?
