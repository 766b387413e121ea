import { writePath, type KeyPath } from '../domain/config/config-remark.ts';
import type { Dependant } from '../domain/prober/dependant.ts';
import { writeGoDuration as length } from '../domain/go-duration.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import { expiryFraction } from '../domain/prober/verdict.ts';
import { wrap } from './command.ts';

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
    ...probing(config),
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

function settings(config: ProberConfig, star: Star): string[] {
  const values = {
    kubeConfigSecretName: config.kubeConfigSecretName,
    probeInterval: length(config.probeInterval),
    initialDelay: length(config.initialDelay),
    probeTimeout: length(config.probeTimeout),
    backoffJitterFactor: config.backoffJitterFactor,
    kcmNodeMonitorGraceDuration: length(config.kcmNodeMonitorGraceDuration),
    nodeLeaseFailureFraction: config.nodeLeaseFailureFraction,
    failureThreshold: config.failureThreshold,
    successThreshold: config.successThreshold,
  } satisfies Readonly<Record<Exclude<keyof ProberConfig, 'dependants'>, string | number>>;
  return Object.entries(values).map(([key, value]) => `  ${key.padEnd(29)}${value}${star(key)}`);
}

function probing(config: ProberConfig): string[] {
  const grace = config.kcmNodeMonitorGraceDuration;
  const lengthened = 1 + config.backoffJitterFactor;
  const sentences = [
    `A shoot is probed every ${upTo(config.probeInterval, lengthened)}, and earlier when its leases may be about to ` +
      `expire. A whole probe may take ${length(config.probeTimeout)}.`,
    `A lease counts as expired ${length(expiryFraction * grace)} after its last renewal: three quarters of the ` +
      `${length(grace)} after which the kube-controller-manager marks a node. A shoot may set another time than these ` +
      `${length(grace)}.`,
    `When ${percent(config.nodeLeaseFailureFraction)} of a shoot's leases are expired, or more, it is cut off, and scaled down ` +
      `with ${verdicts(config.failureThreshold)}. When fewer are, it is connected, and scaled up with ` +
      `${verdicts(config.successThreshold)}.`,
  ];
  return sentences.map((text) => wrap(text, 2));
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
  ].map((text) => wrap(text, 2));
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

/** `30s to 36s`: a length as it is written, and as chance may lengthen it. */
function upTo(ms: number, factor: number): string {
  const longest = length(Math.round(ms * factor));
  return longest === length(ms) ? longest : `${length(ms)} to ${longest}`;
}

function verdicts(count: number): string {
  return count === 1 ? 'the first such verdict' : `${count} such verdicts in a row`;
}

function width(cells: readonly string[]): number {
  return Math.max(...cells.map((cell) => cell.length)) + 2;
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(4))}%`;
}
