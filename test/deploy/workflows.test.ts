import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findProgram } from '@dwd/lab/programs/find-program.ts';

const folder = join(import.meta.dirname, '../../.github/workflows');

let actionlint = '';
beforeAll(async () => {
  actionlint = await findProgram('actionlint');
});

/** What actionlint finds. Without shellcheck and pyflakes, which it would take from whichever machine this is. */
function findings(workflow: string, name: string): string {
  const args = ['-no-color', '-oneline', '-shellcheck=', '-pyflakes=', '-stdin-filename', join(folder, name), '-'];
  const { status, stdout, stderr } = spawnSync(actionlint, args, { cwd: folder, input: workflow, encoding: 'utf8' });
  if (status !== 0 && stdout === '') throw new Error(`actionlint ended with ${status}: ${stderr}`);
  return stdout;
}

test.each(readdirSync(folder))('actionlint finds nothing in %s', (file) => {
  expect(findings(readFileSync(join(folder, file), 'utf8'), file)).toBe('');
});

test('and finds what is wrong', () => {
  const wrong =
    'on: push\njobs:\n  one:\n    runs-on: ubuntu-24.04\n    needs: two\n    steps:\n      - run: echo ${{ gitub.sha }}\n';
  expect(findings(wrong, 'wrong.yaml')).toContain('undefined variable "gitub"');
  expect(findings(wrong, 'wrong.yaml')).toContain('needs job "two" which does not exist');
});
