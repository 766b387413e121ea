import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { documentText } from '../../src/commands/document.ts';
import { Program } from '@dwd/testing/program.ts';
import { leader, seedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';

/** Clears the screen, sets its title, begins lines of its own, and turns the order of letters around. */
const hostile =
  'täglich-🚀\u0000\u001b[2J\u001b[31m\u001b]0;mine\u0007\r\nAll is well.\t\u007f\u009b31m\u2028\u202eevil\u2066\u200e\u200f\u061c\u200d';

const moves = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whatever any reader makes of its lines: no character but their breaks moves a terminal. Colours are ours. */
function isTame(text: string): void {
  const plain = text.replaceAll(/\p{Cc}\[(?:[12]|3[1-6]|0)m/gu, '');
  expect(plain.split('\n').filter((line) => moves.test(line))).toEqual([]);
  expect(plain.split('\n')).not.toContain('All is well.');
}

test('1.1 no command prints what a stranger wrote to move a terminal; JSON and YAML say it whole', async (context) => {
  const stage = await seedStage(context);
  leader(0, 'prober', hostile)(stage);
  stage.shoot.dependants.annotate('cluster-autoscaler', { [mark]: '', [record]: hostile });
  const onSeed = [`--config-file=${stage.configFile}`, `--kubeconfig=${stage.kubeconfigOf('operator')}`];
  const says = async (command: string, ...flags: string[]) => {
    const { stdout, stderr } = await new Program(context, [command, ...onSeed, ...flags], {
      env: { FORCE_COLOR: '1' },
    }).end();
    for (const text of [stdout, stderr]) isTame(text);
    return { stdout, stderr };
  };

  const table = await says('status', '-o', 'wide');
  expect(table.stdout).toContain('\u001b[');
  expect(table.stdout).toContain(String.raw`täglich-🚀\u0000\u001b[2J\u001b[31m`);
  const [json, yaml] = [await says('status', '-o', 'json'), await says('status', '-o', 'yaml')];
  expect(JSON.parse(json.stdout)).toMatchObject({ leader: { holder: hostile } });
  expect(parse(yaml.stdout)).toMatchObject({ leader: { holder: hostile } });

  expect((await says('release')).stderr).toContain('täglich-🚀');
  const dry = await says('release', '--dry-run', '-o', 'yaml');
  expect(parse(dry.stdout)).toMatchObject({ release: 1 });

  const standby = stage.prober('standby', '--enable-leader-election');
  await standby.line('leadership', { leadership: 'standby', holder: hostile });
  standby.kill('SIGTERM');
  isTame((await standby.end()).stdout);
});

test.each(['\u202e', '\u009b', '\u0085', '\u061c', '\u001b', '\n'])(
  '1.1 JSON and YAML say %j whole, and no terminal obeys it, in names of fields too',
  (sign) => {
    const value = { [`a${sign}b`]: [`c${sign}d`, 'täglich 🚀'] };
    for (const form of ['json', 'yaml'] as const) {
      const text = documentText(value, form);
      isTame(text);
      expect(parse(text)).toEqual(value);
    }
  },
);

test('1.1 nor what stands in a kubeconfig, or on the command line', async (context) => {
  const stage = await seedStage(context);
  const kubeconfig = stage.file(
    'odd.kubeconfig',
    JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': hostile, contexts: [], clusters: [] }),
  );
  for (const args of [
    ['status', `--config-file=${stage.configFile}`, `--kubeconfig=${kubeconfig}`],
    ['release', `--config-file=${stage.configFile}`, `--kubeconfig=${kubeconfig}`],
    ['prober', `--config-file=${stage.configFile}`, `--kubeconfig=${kubeconfig}`],
    ['validate', `--config-file=/${hostile.replaceAll('\0', '')}`],
    ['replay', `/${hostile.replaceAll('\0', '')}`],
  ]) {
    const { stdout, stderr, code } = await new Program(context, args).end();
    expect([args[0], code]).toEqual([args[0], 1]);
    expect(stderr).toContain('täglich-🚀');
    for (const text of [stdout, stderr]) isTame(text);
  }
});
