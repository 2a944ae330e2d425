DELETE FROM history.releases WHERE number = ?
