/*
summary = "The columns compared by their positions."
part = true
run.few = true
*/
SELECT this_position AS position, this_name AS name, this_role AS role
FROM each_column(compared)
