"""python -m torc: the command torc. A script of Python is run by this interpreter."""

import os
import sys

import torc


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["run"]:
        program = 2 if arguments[1:2] == ["--"] else 1
        if len(arguments) > program and arguments[program].endswith(".py"):
            arguments.insert(program, sys.executable)
    os.execv(torc.tool(), ["torc", *arguments])


if __name__ == "__main__":
    main()
