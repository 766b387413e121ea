import type { Setting } from './render.ts';

/** The same installation said in two ways. */
export type Rendering = Readonly<{
  overlay: string;
  settings: readonly Setting[];
  /** Objects that only the overlay has, each with its reason. */
  onlyOverlay?: Readonly<Record<string, string>>;
}>;

const namespace = { 'Namespace /garden': 'helm makes it with --create-namespace, and never takes it away' };

const autoscaler = 'verticalPodAutoscaler.enabled=true';
const podMonitor = 'podMonitor.enabled=true';
const seedsLabel = 'podMonitor.labels={"prometheus":"aggregate"}';
const rules = 'prometheusRule.enabled=true';
const plutono = 'dashboards.plutono.enabled=true';
const two = 'replicas=2';
const ownPriority = 'priorityClass={"name":"dependency-watchdog","create":true}';

export const renderings: readonly Rendering[] = [
  { overlay: 'one-replica', settings: [] },
  { overlay: 'two-replicas', settings: [two] },
  { overlay: 'journal', settings: ['journal.enabled=true'] },
  { overlay: 'prober-alone', settings: ['weeder.enabled=false'] },
  { overlay: 'weeder-alone', settings: ['prober.enabled=false'] },
  { overlay: 'standalone', settings: [two, ownPriority], onlyOverlay: namespace },
  {
    overlay: 'gardener',
    settings: [
      two,
      autoscaler,
      podMonitor,
      seedsLabel,
      'seedPrometheus=true',
      'priorityClass.name="gardener-system-800"',
    ],
  },
  {
    overlay: 'beside-gardenlet',
    settings: ['deployRoles=false', podMonitor, seedsLabel, 'seedPrometheus=true', rules, plutono],
  },
  {
    overlay: 'everything',
    settings: [
      two,
      autoscaler,
      podMonitor,
      rules,
      plutono,
      'dashboards.grafana.enabled=true',
      ownPriority,
      'journal.enabled=true',
      'events=true',
      'prober.furtherDependants=[{"apiGroups":["apps"],"resources":["statefulsets"],"verbs":["get","list","watch","patch"]}]',
    ],
    onlyOverlay: namespace,
  },
];
