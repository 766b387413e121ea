import { differencesOf } from '@dwd/lab/gardener/differences-of.ts';
import { readings } from '@dwd/lab/gardener/readings.ts';
import { newest, renderingOf, theOnly, type Manifest } from '@dwd/lab/gardener/rendering.ts';

const begin = '<!-- What gardenlet deploys: written by npm run docs -->';
const end = '<!-- until here -->';

/** docs/gardener.md with what Gardener's own code says about gardenlet, in place of what stood between the two marks. */
export function withGardenletPart(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/gardener.md lacks "${begin}" and "${end}"`);
  return [
    before + begin,
    ...deployedTable(),
    '',
    ...shootTable(),
    '',
    ...readingsTable(),
    '',
    ...changes(),
    end + after,
  ].join('\n');
}

const rendering = renderingOf(newest);

const code = (text: string): string => `\`${text}\``;
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function deployedTable(): readonly string[] {
  const [prober, weeder] = (['prober', 'weeder'] as const).map((role) => told(rendering[role]));
  const rows = Object.keys(prober ?? {}).map((what) => row(what, prober?.[what] ?? '', weeder?.[what] ?? ''));
  return [row('', 'prober', 'weeder'), '|---|---|---|', ...rows];
}

/** One role's column, by the words of its rows. */
function told(objects: readonly Manifest[]): Readonly<Record<string, string>> {
  const deployment = theOnly(objects, 'Deployment') as unknown as Deployment;
  const { template, replicas } = deployment.spec;
  const [container] = template.spec.containers;
  if (container === undefined) throw new Error('a Deployment without a container');
  const [program, role, ...flags] = container.command;
  const { resources } = container;
  const autoscaler = theOnly(objects, 'VerticalPodAutoscaler') as unknown as Autoscaler;
  const [{ minAllowed } = {}] = autoscaler.spec.resourcePolicy.containerPolicies;
  const budget = theOnly(objects, 'PodDisruptionBudget')['spec'] as Readonly<Record<string, unknown>>;
  return {
    command: code(`${program} ${role}`),
    flags: flags.map(code).join('<br>'),
    configuration: configurationOf(theOnly(objects, 'ConfigMap')),
    'grants in the seed': grantsOf(theOnly(objects, 'ClusterRole')),
    'grants in `garden`': grantsOf(theOnly(objects, 'Role')),
    resources: `requests ${quantities(resources.requests)}; limit ${quantities(resources.limits)}`,
    autoscaler: `at least ${quantities(minAllowed)}, mode ${code(autoscaler.spec.updatePolicy.updateMode)}`,
    pods: `${replicas} (Gardener's high availability makes it two), ${code(template.spec.priorityClassName)}, ${template.spec.terminationGracePeriodSeconds} s to end`,
    'disruption budget': `at most ${String(budget['maxUnavailable'])} away, ${code(String(budget['unhealthyPodEvictionPolicy']))}`,
    'network policies': Object.keys(template.metadata.labels)
      .filter((label) => label !== 'app')
      .map(code)
      .join('<br>'),
  };
}

function configurationOf(configMap: Manifest): string {
  const text = Object.values(configMap['data'] as Readonly<Record<string, string>>).join('');
  const role = configMap.metadata.name.includes('prober') ? 'prober' : 'weeder';
  const keys = [...text.matchAll(/^(\w+): (\S+)$/gm)].map(([line]) => code(line));
  return [...keys, `and the rest of [its file](../deploy/base/${role}/dep-config.yaml)`].join('<br>');
}

/** `apps/deployments: get list`, a line each. */
function grantsOf(role: Manifest): string {
  const rules = role['rules'] as readonly Rule[];
  return rules
    .map(({ apiGroups: [group = ''], resources, resourceNames, verbs }) => {
      const what = resources.map((one) => code(group === '' ? one : `${group}/${one}`)).join(', ');
      const named = resourceNames === undefined ? '' : ` ${resourceNames.map(code).join(', ')}`;
      return `${what}${named}: ${verbs.join(' ')}`;
    })
    .join('<br>');
}

function shootTable(): readonly string[] {
  const secret = theOnly(rendering.accessInSeed, 'Secret');
  const { labels = {}, annotations = {} } = secret.metadata;
  const account = ['namespace', 'name'].map((what) => annotations[`serviceaccount.resources.gardener.cloud/${what}`]);
  return [
    row('for each shoot', ''),
    '|---|---|',
    row(
      'in the seed',
      `Secret ${code(secret.metadata.name)}, ${Object.entries(labels)
        .map(([key, value]) => code(`${key}: ${value}`))
        .join(', ')}`,
    ),
    row("in the shoot, the account's name", code(account.join('/'))),
    row(
      `in the shoot, in ${code(String(theOnly(rendering.accessInShoot, 'Role').metadata.namespace))}`,
      grantsOf(theOnly(rendering.accessInShoot, 'Role')),
    ),
    row('in the shoot', grantsOf(theOnly(rendering.accessInShoot, 'ClusterRole'))),
  ];
}

function readingsTable(): readonly string[] {
  const names = Object.keys(readings.connected.replicas);
  const rows = Object.values(readings).map(({ state, scaledDown, replicas }) =>
    row(
      state,
      scaledDown.length === 0 ? 'healthy' : `\`ControllersScaledDown\`: ${scaledDown.map(code).join(', ')}`,
      ...Object.values<number>(replicas).map(String),
    ),
  );
  return [
    row(
      'state of the shoot',
      'shoot-care, ControlPlaneHealthy',
      ...names.map((name) => `replicas of ${code(name)} in a reconciliation`),
    ),
    `|${'---|'.repeat(names.length + 2)}`,
    ...rows,
  ];
}

function changes(): readonly string[] {
  const [older, newer] = [renderingOf('v1.130.0'), rendering];
  const rows = differencesOf(older, newer).map(({ place, before, after }) =>
    row(code(place), code(before), code(after)),
  );
  return [row('what has changed', older.gardener, newer.gardener), '|---|---|---|', ...rows];
}

const quantities = (of: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(of ?? {})
    .map(([name, quantity]) => `${quantity} of ${name === 'cpu' ? 'CPU' : name}`)
    .join(', ');

type Rule = Readonly<Record<'apiGroups' | 'resources' | 'verbs', readonly string[]>> &
  Readonly<{ resourceNames?: readonly string[] }>;

type Deployment = Readonly<{
  spec: Readonly<{
    replicas: number;
    template: Readonly<{
      metadata: Readonly<{ labels: Readonly<Record<string, string>> }>;
      spec: Readonly<{
        priorityClassName: string;
        terminationGracePeriodSeconds: number;
        containers: readonly Readonly<{
          command: readonly string[];
          resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
        }>[];
      }>;
    }>;
  }>;
}>;

type Autoscaler = Readonly<{
  spec: Readonly<{
    updatePolicy: Readonly<{ updateMode: string }>;
    resourcePolicy: Readonly<{
      containerPolicies: readonly Readonly<{ minAllowed?: Readonly<Record<string, string>> }>[];
    }>;
  }>;
}>;
