"""Runs a program in a pseudo-terminal, types into it, ends it in one of several ways, and reports how it ended.

Usage: terminal.py WAY TYPED SHOWN PROGRAM [ARGS...]

WAY   close       close the terminal
      close-deaf  close the terminal under a program that was started with SIGHUP ignored
      term, hup   send that signal and keep the terminal
      term-stuck  send SIGTERM while nobody reads what the program shows
TYPED text to type, `\\r` for Enter
SHOWN text that the program shows after it has handled TYPED

Prints one JSON object: whether the program ended, its status (exit code, or minus the signal number), the seconds until it ended,
the processor seconds it used, its last output, and whether the terminal echoes lines again.
"""

import fcntl, json, os, pty, select, signal, struct, sys, termios, time

way, typed, shown, program = sys.argv[1], sys.argv[2].replace("\\r", "\r"), sys.argv[3].encode(), sys.argv[4:]
PATIENCE = 20.0

child, master = pty.fork()
if child == 0:
    # The tests themselves may run where the signal is ignored, and a program inherits that.
    signal.signal(signal.SIGHUP, signal.SIG_IGN if way == "close-deaf" else signal.SIG_DFL)
    os.environ["TERM"] = "xterm"
    os.execv(program[0], program)
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))


def read(until, seconds):
    """Reads the program's output until a text appears or the time is over."""
    seen, end = b"", time.monotonic() + seconds
    while until not in seen and time.monotonic() < end:
        if select.select([master], [], [], 0.05)[0]:
            try:
                seen += os.read(master, 65536)
            except OSError:
                break
    return seen


def fail(what, seen):
    os.kill(child, signal.SIGKILL)
    sys.exit(f"{what}: {seen[-400:]!r}")


if not read(b"first hand" if "--plain" in program else b"around", PATIENCE):
    fail("the program shows nothing", b"")
os.write(master, typed.encode())
seen = read(shown, PATIENCE)
if shown not in seen:
    fail(f"the program does not show {shown!r}", seen)
read(b"nothing that is shown", 0.3)

began, last, echoes = time.monotonic(), b"", None
if way.startswith("close"):
    os.close(master)
elif way == "hup":
    os.kill(child, signal.SIGHUP)
elif way == "term":
    os.kill(child, signal.SIGTERM)
elif way == "term-stuck":
    # Open and close the help again and again, until the output fills the terminal's buffer.
    for _ in range(200):
        if select.select([], [master], [], 0.1)[1]:
            os.write(master, b"?\x1b[A\x1b[B?")
        time.sleep(0.01)
    began = time.monotonic()
    os.kill(child, signal.SIGTERM)

status = None
while time.monotonic() - began < 8:
    if way in ("hup", "term"):
        last += read(b"nothing that is shown", 0.05)
    else:
        time.sleep(0.05)
    pid, waited, used = os.wait4(child, os.WNOHANG)
    if pid == child:
        status = os.waitstatus_to_exitcode(waited)
        break
after = time.monotonic() - began
if status is None:
    os.kill(child, signal.SIGKILL)
    _, _, used = os.wait4(child, 0)
if way in ("hup", "term"):
    last += read(b"nothing that is shown", 0.1)
    modes = termios.tcgetattr(master)[3]
    echoes = bool(modes & termios.ECHO) and bool(modes & termios.ICANON)
print(json.dumps({
    "ended": status is not None,
    "status": status,
    "after": after,
    "used": used.ru_utime + used.ru_stime,
    "last": last.decode(errors="replace"),
    "echoes": echoes,
}))
