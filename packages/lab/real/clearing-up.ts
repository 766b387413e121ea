import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Waits for the end of this process, however it comes (`read` fails once nobody holds the other end of the pipe). Then it
 * kills what still runs and removes what is left. It has a session of its own, so that a Ctrl-C which ends us does not end it.
 */
const script = `
PATH=/usr/bin:/bin:$PATH
pids=
groups=
while read -r kind rest; do
  case $kind in
    living) pids=$rest ;;
    directory) set -- "$@" "$rest" ;;
    cgroups) groups="$groups $rest" ;;
  esac
done
[ -z "$pids" ] || kill -9 $pids 2>/dev/null
for try in 1 2 3 4 5; do rm -rf -- "$@" && break; sleep 0.2; done
# A group can be removed once its last process is gone for good.
for try in 1 2 3 4 5 6 7 8 9 10; do
  [ -n "$groups" ] || break
  find $groups -depth -type d -exec rmdir {} + 2>/dev/null
  ls -d $groups >/dev/null 2>&1 || break
  sleep 0.2
done
`;

const living = new Set<ChildProcess>();
const strangers = new Set<number>();
let waiting: ChildProcess | undefined;

/** The child ends with this process at the latest, even one that is killed. */
export function endsWithUs(child: ChildProcess): void {
  // A child that could not be started never ends either.
  if (child.pid === undefined) return;
  living.add(child);
  tellLiving();
  child.once('exit', () => {
    // Another process may soon have its number.
    living.delete(child);
    tellLiving();
  });
}

/** The same for a process that is nobody's child here, by its id. It is to be left out, by what is returned, before that may be another's. */
export function strangerEndsWithUs(pid: number): () => void {
  strangers.add(pid);
  tellLiving();
  return () => {
    strangers.delete(pid);
    tellLiving();
  };
}

/** The directory is removed once this process has ended. */
export function isRemovedAfterUs(directory: string): void {
  tell(`directory ${directory}`);
}

/** The same for control groups, whose files no one can remove: directories without blanks in their paths. */
export function cgroupsAreRemovedAfterUs(groups: readonly string[]): void {
  tell(`cgroups ${groups.join(' ')}`);
}

/** Kills all children that still run. Resolves when they have ended. */
export async function endTheLiving(): Promise<void> {
  await Promise.all(
    [...living].map((child) => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      return gone;
    }),
  );
}

function tellLiving(): void {
  tell(`living ${[...[...living].flatMap(({ pid }) => pid ?? []), ...strangers].join(' ')}`);
}

function tell(line: string): void {
  waiting ??= begin();
  waiting.stdin?.write(`${line}\n`);
}

/** Who started us, and who started that one: npm has a shell in between, which it does not take with it when it is killed. */
function starters(): string {
  try {
    return `${process.ppid} ${/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'))?.[1]}`;
  } catch {
    return String(process.ppid);
  }
}

/** What npm started ends with npm. Whoever calls us without it may leave us alone on purpose. */
function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const first = starters();
  setInterval(() => {
    if (starters() !== first) process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
}

function begin(): ChildProcess {
  endWithNpm();
  const child = spawn('/bin/sh', ['-c', script, 'sh'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  // This must not keep a process alive that has nothing else to do.
  if (child.stdin !== null && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
