import { loggedConfig } from './role/logged-config.ts';
import { ineffective, writtenProberConfig } from '../domain/config/written-prober-config.ts';
import { valueAt } from '../domain/value-at.ts';
import { writePath, type KeyPath } from '../domain/config/config-remark.ts';
import type { Dependant } from '../domain/prober/dependant.ts';
import { writeGoDuration as length } from '../domain/go-duration.ts';
import { hasTwoPaths, type ProberConfig } from '../domain/prober/prober-config.ts';
import { wrap } from './command.ts';
import { leaseProbing, pathProbing, upTo } from './explain-probing.ts';

/** A longer resource name gets a line of its own. */
const widestName = 58;

/** What a configuration means, in plain words for a terminal. A star marks what the operator left at its default. */
export function explainProberConfig(config: ProberConfig, defaults: readonly KeyPath[]): string[] {
  const defaulted = new Set(defaults.map(writePath));
  const star: Star = (key) => (defaulted.has(key) ? '*' : '');
  return [
    'Settings',
    ...settings(config, star),
    '',
    'Probing',
    ...(hasTwoPaths(config) ? pathProbing(config) : leaseProbing(config)),
    '',
    'When it starts, or becomes the leader',
    ...starting(config),
    '',
    'Scaling down, one level after the other',
    ...levels(config.dependants, 'scaleDown', star),
    '',
    'Scaling up, one level after the other',
    ...levels(config.dependants, 'scaleUp', star),
    ...(defaults.length === 0 ? [] : ['', '* the default, because the configuration does not set it']),
  ];
}

type Star = (key: string) => string;

/** Every key of the schema that has one value, and an effect. */
function settings(config: ProberConfig, star: Star): string[] {
  const generation = hasTwoPaths(config) ? 'twoPaths' : 'leases';
  const shown = loggedConfig(config);
  const values = Object.keys(writtenProberConfig.shape).flatMap((key) => {
    const value = valueAt(shown, key);
    const isSaid = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isSaid && ineffective(key, generation) === undefined ? [[key, String(value)] as const] : [];
  });
  const widest = width(values.map(([key]) => key));
  return values.map(([key, value]) => `  ${key.padEnd(widest)}${value}${star(key)}`);
}

/** What only the first minute shows (SPEC 2, initialDelay; 8). */
function starting({ initialDelay, backoffJitterFactor }: ProberConfig): string[] {
  const sentences =
    initialDelay === 0
      ? ['Each shoot is probed at once.']
      : [
          `Each shoot waits ${upTo(initialDelay, 1 + backoffJitterFactor)} for its first probe, by chance, so that not all ` +
            "are probed in one moment. A shoot that carries the watchdog's mark does not wait, since it was left scaled " +
            'down. Nor does one that this replica has followed as a standby.',
        ];
  return [
    ...sentences,
    "Nothing is scaled before a shoot's first answer: what is down stays down until then. A standby follows the seed and " +
      'writes nothing.',
  ].flatMap((text) => wrap(text, 2));
}

function levels(
  dependants: readonly Dependant[],
  direction: 'scaleUp' | 'scaleDown',
  star: (key: string) => string,
): string[] {
  const rows = dependants.map((dependant, index) => {
    const { level, initialDelay, timeout } = dependant[direction];
    const key = `dependentResourceInfos[${index}]`;
    const after = initialDelay === 0 ? 'at once' : `after ${length(initialDelay)}`;
    return {
      level,
      label: `level ${level}${star(`${key}.${direction}.level`)}`,
      name: `${dependant.ref.apiVersion} ${dependant.ref.kind} ${dependant.ref.name}`,
      when: `${after}${star(`${key}.${direction}.initialDelay`)}`,
      timeout: `timeout ${length(timeout)}${star(`${key}.${direction}.timeout`)}`,
      optional: dependant.optional ? 'optional' : `required${star(`${key}.optional`)}`,
    };
  });
  const labels = width(rows.map(({ label }) => label));
  const names = width(
    rows
      .map(({ name }) => name)
      .filter((name) => name.length <= widestName)
      .concat(''),
  );
  const whens = width(rows.map(({ when }) => when));
  const timeouts = width(rows.map(({ timeout }) => timeout));

  let last: number | undefined;
  return rows
    .toSorted((one, other) => one.level - other.level)
    .flatMap(({ level, label, name, when, timeout, optional }) => {
      const left = `  ${(level === last ? '' : label).padEnd(labels)}`;
      const right = `${when.padEnd(whens)}${timeout.padEnd(timeouts)}${optional}`;
      last = level;
      if (name.length > widestName) return [`${left}${name}`, `${' '.repeat(labels + 4)}${right}`];
      return [`${left}${name.padEnd(names)}${right}`];
    });
}

function width(cells: readonly string[]): number {
  return Math.max(...cells.map((cell) => cell.length)) + 2;
}
