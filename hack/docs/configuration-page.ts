import type * as z from 'zod';
import { exampleConfigs } from '../../src/commands/example-configs.ts';
import { guests } from '../../src/commands/guests.ts';
import { commandWords } from '../../src/commands/usage.ts';
import type { RunCommand } from '../../src/commands/command.ts';
import { writtenProberConfig } from '../../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../../src/domain/config/read-weeder-config.ts';
import { writtenKeys } from './written-keys.ts';

/** docs/configuration.md: every key of both configurations, and the flags of each command, as its own help has them. */
export async function configurationPage(): Promise<string> {
  const helps = await Promise.all(
    Object.keys(commandWords).map(async (command) => [`### ${command}`, '', ...fenced('', await helpOf(command)), '']),
  );
  return [
    '# Configuration',
    '',
    'Written by `npm run docs` from the schemas and the flags of the program itself; a check fails when it is stale.',
    '',
    '`dependency-watchdog validate --config-file FILE` says what a configuration means, or everything that is wrong with it;',
    'it needs no cluster. `validate --example prober`, `two-paths` and `weeder` print the configurations that stand below.',
    "With `--against-seed` it holds the weeder's against a seed ([status.md](status.md#what-the-weeders-selectors-leave-out)).",
    'Editors read the same from the JSON Schemas: [prober](schema/prober-config.schema.json), [weeder](schema/weeder-config.schema.json).',
    '',
    '- The file is read once. Gardener names its ConfigMaps by their content, so a change is a rollout.',
    '- A *duration* is written as in Go: `30s`, `1m30s`, `1.5h`, `100us`.',
    '- Keys match in upper and lower case alike. An unknown key is a warning, and under `validate --strict` an error.',
    '- `[]` stands for each item of a list, `*` for each key of a mapping that the operator chooses.',
    '- With a wrong configuration the program names all problems at once, and ends with code 1 before it connects to a cluster.',
    '',
    '## The prober',
    '',
    ...keyTable(writtenProberConfig),
    '',
    ...fenced('yaml', exampleConfigs.prober.trimEnd()),
    '',
    '### With two paths',
    '',
    'The generation before asked each shoot twice: on an *internal path*, straight to its API server, and on an *external path*, through the load',
    "balancer, as the shoot's kubelets go. A configuration that names its two Secrets is run like that. It detects what leases cannot: an outage of a",
    "shoot whose nodes write no leases yet, or that has none of Gardener's Machines. Both generations at once, or one of the two names alone, is an",
    "error. `name`, `namespace` and a step's `replicas` are accepted with a warning. `validate` says how long it takes to find an outage, and warns",
    'where that is too long for the grace.',
    '',
    ...fenced('yaml', exampleConfigs['two-paths'].trimEnd()),
    '',
    '## The weeder',
    '',
    ...keyTable(writtenWeederConfig),
    '',
    ...fenced('yaml', exampleConfigs.weeder.trimEnd()),
    '',
    '## Flags',
    '',
    'A flag has one dash or two, and is written `--x=v` or `--x v`; a boolean stands alone, or with `=true` or `=false`. A command line',
    'that cannot be read ends the program with code 2. `dependency-watchdog help COMMAND` prints what stands here.',
    '',
    ...helps.flat(),
    '## Environment',
    '',
    '| variable | meaning |',
    '|---|---|',
    '| `KUBECONFIG` | one or more kubeconfigs of the seed, where `--kubeconfig` is not given |',
    '| `KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT` | the seed, for a program in one of its pods; Kubernetes sets them |',
    '| `DWD_COMMIT` | the commit that `version` and `dwd_build_info` name; the image sets it |',
    '| `UV_THREADPOOL_SIZE` | threads for look-ups of names and for files; 128 unless set, and names may take half of them |',
    '| `RES_OPTIONS` | how patient such a look-up is; `timeout:1 attempts:2` unless set |',
    '| `TERM`, `COLORTERM`, `NO_COLOR`, `FORCE_COLOR` | what `simulate` paints |',
    '',
  ].join('\n');
}

/** What is said of a default in place of one. */
const words: readonly string[] = ['required', 'one or the other', ''];

function keyTable(written: z.ZodType): readonly string[] {
  const rows = writtenKeys(written).map(({ path, type, default: standard, bounds, meaning }) => {
    const shown = words.includes(standard) ? standard : `\`${standard}\``;
    return `| \`${path}\` | ${type} | ${shown} | ${bounds} | ${meaning} |`;
  });
  return ['| key | type | default | bounds | meaning |', '|---|---|---|---|---|', ...rows];
}

function fenced(language: string, text: string): readonly string[] {
  return [`\`\`\`${language}`, ...text.split('\n'), '```'];
}

/** What `help` prints. Each command exports one function, which runs it. */
async function helpOf(command: string): Promise<string> {
  const load = isGuest(command) ? guests[command] : () => import(`../../src/commands/${command}.ts`);
  const module = (await load()) as Readonly<Record<string, RunCommand>>;
  const run = module[`run${command.slice(0, 1).toUpperCase()}${command.slice(1)}`];
  if (run === undefined) throw new Error(`the file of the command ${command} exports no function that runs it`);
  const lines: string[] = [];
  await run(['--help'], { out: (line) => lines.push(line), err: (line) => lines.push(line), env: {} });
  return lines.join('\n');
}

function isGuest(command: string): command is keyof typeof guests {
  return Object.hasOwn(guests, command);
}
