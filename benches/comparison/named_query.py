"""Turns a named query of the project into a script for the sqlite3 shell."""

import re

PARAMETER = re.compile(r"^-- :(?P<name>\w+)\s+(?P<type>\S.*?)(?:\s{2,}.*)?$")
UNQUOTED = ("integer", "real", "boolean")


def shell_script(text, given):
    """The query with its parameters set as given, else to the defaults that its head declares."""
    script = [".bail on", ".headers on", ".mode csv", ".parameter init"]
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        declared = PARAMETER.match(line)
        if declared is None:
            continue
        type_, _, default = declared["type"].partition(" = ")
        value = given.get(declared["name"], default.strip())
        if value:
            table, dot, column = value.partition(".")
            if dot and column.isidentifier():
                quoted = f'"(select {column} from {table})"'
            elif type_.split()[0] in UNQUOTED:
                quoted = value
            else:
                quoted = f"\"'{value}'\""
            script.append(f".parameter set :{declared['name']} {quoted}")
    return "\n".join([*script, text.rstrip().rstrip(";") + ";", ""])
