// A checkout after `npm ci --omit=dev`: of the packages there are those alone that the lock does not call `dev`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { readLock } from '../../hack/supply/lock.ts';
import { Program } from '@dwd/testing/program.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const { packages } = readLock(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const left = Object.entries(packages).flatMap(([at, { dev }]) => (dev === true ? [`/${at}/`] : []));

/** Runs the sources, where no package that is left out can be found. */
async function run(context: TestContext, dir: string, ...args: readonly string[]) {
  const hook = join(dir, 'omit.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
const left = ${JSON.stringify(left)};
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!left.some((folder) => found.url.includes(folder))) return found;
    throw Object.assign(new Error(\`Cannot find package '\${specifier}' imported from here\`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
`,
  );
  const program = new Program(context, args, { start: ['--import', hook, join(root, 'src/main.ts')] });
  const { code } = await program.ended;
  return { code, said: program.stdout + program.stderr };
}

test('1.5 what runs a role, and the operators’ commands with a kubeconfig, need no package of tools', async (context) => {
  const dir = temporaryFolder();
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    `{current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}], users: [{name: a, user: {token: x}}],
      clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}]}`,
  );
  const config = join(dir, 'config.yaml');
  const example = await run(context, dir, 'validate', '--example=prober');
  expect(example.code).toBe(0);
  writeFileSync(config, example.said);
  for (const command of ['prober', 'weeder', 'release', 'replay', 'inspect']) {
    expect([command, (await run(context, dir, command, '--help')).code]).toEqual([command, 0]);
  }
  const status = await run(context, dir, 'status', `--config-file=${config}`, `--kubeconfig=${kubeconfig}`);
  expect([status.code, status.said]).toEqual([1, expect.stringContaining('127.0.0.1:1')]);
  expect(status.said).toContain('refused');
});

test('1.1 simulate says in a sentence which package it lacks', async (context) => {
  expect(await run(context, temporaryFolder(), 'simulate')).toEqual({
    code: 1,
    said: 'dependency-watchdog simulate: the package reflect-metadata is not installed here: run `npm ci` without --omit=dev\n',
  });
});
