/** `npm run real -- node`: one real node on this machine, with its control plane, to try things on. */
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { playAsked, readOptions } from './options/read-options.ts';
import { isRemovedAfterUs } from './real/clearing-up.ts';
import { findNodePrograms } from './real-node/node-programs.ts';
import { obstacleToNode } from './real-node/obstacle.ts';
import { RealNode } from './real-node/real-node.ts';

const usage = `Usage: npm run real -- node [--check]

Starts a cluster of one real node in namespaces of their own, without Docker, and prints the path of its kubeconfig; it runs until it is
interrupted. As root, on Linux, with runc and ip; what else it needs is built with Go, once.

  --check  only says whether a node can be run here: with code 75 and the reason where not
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const asked = readOptions(process.argv.slice(2), { check: { type: 'boolean', default: false } }, ({ check }) => ({
  check,
}));

await playAsked(asked, usage, async ({ check }) => {
  const obstacle = obstacleToNode();
  if (obstacle !== undefined) {
    say(`A real node cannot be run here: ${obstacle}`);
    process.exitCode = 75;
  } else if (!check) await run();
});

async function run(): Promise<void> {
  const programs = await findNodePrograms(say);
  const directory = mkdtempSync(join(tmpdir(), 'dwd-real-node-'));
  isRemovedAfterUs(directory);
  const node = await RealNode.start(programs, join(directory, 'node'));
  const kubeconfig = join(directory, 'admin.kubeconfig');
  writeFileSync(kubeconfig, node.server.kubeconfig('admin'));
  process.stdout.write(`${kubeconfig}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await node.stop();
  process.exit(0);
}
