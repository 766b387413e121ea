import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

// Beside other nodes: what they have is told apart by the directory and the control group of this one.

const entries = (place: string) => (existsSync(place) ? readdirSync(place).toSorted() : []);
const tunable = (name: string) => readFileSync(join('/proc/sys', name), 'utf8');

/** What a kubelet, a runtime or a network plug-in would leave on the machine itself. */
function machine(): unknown {
  return {
    interfaces: entries('/sys/class/net'),
    routes: readFileSync('/proc/net/route', 'utf8'),
    mounts: readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .filter((line) => /kubelet|containerd|netns/.test(line)),
    tunables: ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops'].map(tunable),
    places: ['/etc/cni', '/var/lib/kubelet', '/var/lib/cni', '/var/lib/containerd', '/run/containerd'].map(entries),
  };
}

/** The command lines of all processes that name this. */
function commandsNaming(words: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : '';
      return command.includes(words) ? [command] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

const groupsOf = (name: string): readonly string[] =>
  ['', ...readdirSync('/sys/fs/cgroup')].map((tree) => join('/sys/fs/cgroup', tree, name)).filter(existsSync);

test.each(['SIGTERM', 'SIGKILL'] as const)('1.6 a node leaves nothing on the machine, ended by %s', async (signal) => {
  const before = machine();
  const node = spawn(process.execPath, ['packages/lab/real-node.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void node.kill('SIGKILL'));
  const [kubeconfig] = (await once(createInterface({ input: node.stdout }), 'line')) as [string];
  const directory = dirname(kubeconfig);
  const { cgroupRoot } = JSON.parse(readFileSync(join(directory, 'node/kubelet/config.yaml'), 'utf8')) as {
    cgroupRoot: string;
  };
  const group = cgroupRoot.slice(1);
  expect(groupsOf(group).length).toBeGreaterThan(0);
  node.kill(signal);
  await once(node, 'exit');
  await expect.poll(() => [commandsNaming(directory), groupsOf(group), existsSync(directory)]).toEqual([[], [], false]);
  expect(machine()).toEqual(before);
});
