import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../control-plane/run-program.ts';
import { hasEnded, saidLast, start } from '../real/processes.ts';

/** Of the node, and of the API server as its pods see it. They exist in the network of the space alone. */
export const nodeAddress = '10.77.0.1';
export const serviceAddress = '10.0.0.1';

/** What a kubelet wants of the kernel. It is shown these, so that it changes nothing on the machine. */
const tunables: Readonly<Record<string, string>> = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};

/**
 * The first process of the space: it furnishes the space, and takes in those whose parents have ended. There is a default route, since
 * kubelet and API server look for one; it leads nowhere.
 */
const init = `
set -e
mount --make-rshared /
mount -t overlay overlay -o "lowerdir=/var,upperdir=$1/var,workdir=$1/var.work" /var
mount -t tmpfs tmpfs /run
for file in "$1"/tunables/*; do
  mount --bind "$file" "/proc/sys/$(basename "$file" | tr : /)"
done
ip link set lo up
ip addr add ${serviceAddress}/32 dev lo
ip addr add ${nodeAddress}/32 dev lo
ip route add default dev lo src ${nodeAddress}
echo furnished >"$1/furnished"
while :; do
  sleep 60 &
  wait $!
done
`;

/**
 * Namespaces of network, mounts, processes, names and messages of their own: what runs here is unseen outside, and ends with the space,
 * which ends with us. `/var` is written to a copy, and `/run` is empty.
 */
export class NodeSpace {
  readonly directory: string;
  readonly #child: ChildProcess;
  readonly #others: ChildProcess[] = [];

  private constructor(directory: string, child: ChildProcess) {
    this.directory = directory;
    this.#child = child;
  }

  /** `directory` is its own, and takes logs. Rejects where the kernel does not grant it. */
  static async open(directory: string): Promise<NodeSpace> {
    for (const place of ['var', 'var.work', 'tunables']) mkdirSync(join(directory, place), { recursive: true });
    for (const [name, value] of Object.entries(tunables))
      if (existsSync(join('/proc/sys', name)))
        writeFileSync(join(directory, 'tunables', name.replaceAll('/', ':')), `${value}\n`);
    const kinds = ['--net', '--mount', '--uts', '--ipc', '--pid'];
    const words = [...kinds, '--fork', '--mount-proc', '--kill-child', 'sh', '-c', init, 'sh', directory];
    const child = start(directory, 'space', 'unshare', words);
    while (!existsSync(join(directory, 'furnished'))) {
      if (hasEnded(child) || child.pid === undefined)
        throw new Error(`namespaces of our own cannot be had; it was said last:\n${saidLast(directory, 'space')}`);
      await pause(20);
    }
    return new NodeSpace(directory, child);
  }

  /** The words that run a command in it. */
  words(command: string, args: readonly string[]): readonly [command: string, args: readonly string[]] {
    const of = `/proc/${this.#child.pid}/ns`;
    // The process that made the space is in all of its namespaces but that of processes, which its children are in.
    const kinds = ['net', 'uts', 'ipc'].map((kind) => `--${kind}=${of}/${kind}`);
    return ['nsenter', [...kinds, `--pid=${of}/pid_for_children`, `--mount=${of}/mnt`, command, ...args]];
  }

  /** Only the network is that of the space: for one who needs files and pipes of this machine. */
  networkWords(command: string, args: readonly string[]): readonly [command: string, args: readonly string[]] {
    return ['nsenter', [`--net=/proc/${this.#child.pid}/ns/net`, command, ...args]];
  }

  /** Starts a program in it, with a log of its name. */
  start(name: string, command: string, args: readonly string[]): ChildProcess {
    return start(this.directory, name, ...this.words(command, args));
  }

  /** Runs a program in it to its end. */
  async run(command: string, args: readonly string[]): Promise<string> {
    return await runProgram(...this.words(command, args));
  }

  /** A process that is outside, and of no use without it. */
  takesWithIt(child: ChildProcess): void {
    this.#others.push(child);
  }

  /** Kills all that runs in it. */
  async close(): Promise<void> {
    for (const other of this.#others) other.kill('SIGKILL');
    if (hasEnded(this.#child)) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** The process behind a child that was started in a space: outside it is the one child of that. */
export function processBehind(child: ChildProcess): number {
  const mine = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => parentOf(name) === child.pid);
  if (mine === undefined) throw new Error(`nothing runs behind ${basename(child.spawnfile)}, process ${child.pid}`);
  return Number(mine);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
