import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { servingAs, tlsForms } from '@dwd/testing/tls-forms.ts';

const directory = mkdtempSync(join(tmpdir(), 'dwd-kubectl-tls-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Outcome = Readonly<{ trusted: boolean; says: string }>;

async function asKubectl(file: string): Promise<Outcome> {
  const args = [`--kubeconfig=${file}`, 'get', '--raw', '/version', '--request-timeout=10s'];
  return await promisify(execFile)('kubectl', args).then(
    () => ({ trusted: true, says: '' }),
    (error: unknown) => ({ trusted: false, says: errorWords(error) }),
  );
}

function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const forms = await tlsForms();

// What our two clients say of each form stands in test/adapters.
describe.runIf(hasKubectl())('with a real kubectl', () => {
  test.each(forms)('1.5 4.2 kubectl agrees, or there is a reason: $name', async (form) => {
    await using served = await servingAs(form, directory);
    const { trusted, says } = await asKubectl(served.file);
    const expected = form.kubectlDiffers === undefined ? form.trusted : !form.trusted;
    expect({ trusted, says }).toMatchObject({ trusted: expected });
  });
});
