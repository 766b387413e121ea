import * as z from 'zod';
import { durationAbove0, durationFrom0, objectName, text, wholeNumber, withoutEffect } from './config-fields.ts';

/** `apps/v1` and the core group are closed: only these of their kinds have a scale subresource (SPEC 2, ref). */
const scalableKinds: Readonly<Record<string, readonly string[]>> = {
  'apps/v1': ['Deployment', 'StatefulSet', 'ReplicaSet'],
  v1: ['ReplicationController'],
};

const aPart = 'a number from 0 to 1';
const somePart = 'a number above 0, at most 1';

const newerName = "the name of the Secret with the shoot's kubeconfig";
const olderName = 'the name of a Secret';

/** What shoots are judged by: their leases, or, in the older generation, two paths to their API server (SPEC 2.2). */
export type Generation = 'leases' | 'twoPaths';

/** The two Secrets of the older generation. */
export const olderNames = ['internalKubeConfigSecretName', 'externalKubeConfigSecretName'] as const;

/** Keys that say nothing but in this generation, and why. Not in the schema's own `meta`, which goes into what editors read. */
const ofOneGeneration = z.registry<Readonly<{ generation: Generation; because: string }>>();

/** One packet that is lost on the way must not take a shoot's controllers down (SPEC 2.2). */
const failuresOnAPath = 3;

/** `one of A, B`; a single one stands alone. */
function oneOf(kinds: readonly string[]): string {
  return kinds.length === 1 ? kinds.join('') : `one of ${kinds.join(', ')}`;
}

const ref = z
  .strictObject(
    {
      apiVersion: text({
        pattern: '^([a-z0-9][-a-z0-9.]*/)?[a-z][-a-z0-9]*$',
        wanted: 'group and version, such as apps/v1',
      }).describe('Its group and version, such as `apps/v1`.'),
      kind: text({
        pattern: '^[A-Za-z][A-Za-z0-9]*$',
        wanted: 'a kind with a scale subresource, such as Deployment',
      }).describe('Its kind, such as `Deployment`.'),
      name: objectName("the resource's name").describe('Its name.'),
    },
    { error: 'a mapping of apiVersion, kind and name' },
  )
  .superRefine(({ apiVersion, kind }, check) => {
    const kinds = Object.hasOwn(scalableKinds, apiVersion) ? scalableKinds[apiVersion] : undefined;
    if (kinds === undefined || kinds.includes(kind)) return;
    const message = `${oneOf(kinds)}: no other kind of ${apiVersion} has a scale subresource`;
    check.addIssue({ code: 'custom', path: ['kind'], message });
  })
  // The same for editors, which know nothing of the function above.
  .meta({
    anyOf: [
      ...Object.entries(scalableKinds).map(([apiVersion, kinds]) => ({
        properties: { apiVersion: { type: 'string', enum: [apiVersion] }, kind: { type: 'string', enum: kinds } },
      })),
      { not: { properties: { apiVersion: { type: 'string', enum: Object.keys(scalableKinds) } } } },
    ],
    description: "The resource in the shoot's control-plane namespace; it must have a scale subresource.",
  });

const scaleStep = z.strictObject(
  {
    level: wholeNumber(0)
      .prefault(0)
      .describe('Levels run in ascending order; resources of one level together; a level waits for the one before it.'),
    initialDelay: durationFrom0.prefault('0s').describe("Runs from the start of the resource's level to its scaling."),
    timeout: durationAbove0
      .prefault('30s')
      .describe(
        'How long the resource may take to reach its replicas before that is told. On the way down the next level waits for 5 s at most (6.1).',
      ),
    replicas: withoutEffect('Replicas are recorded and restored; a number given here has no effect.'),
  },
  { error: 'a mapping of level, initialDelay and timeout; {} takes the default of each' },
);

const dependentResource = z.strictObject(
  {
    ref,
    optional: z
      .boolean({ error: 'true or false, without quotes' })
      .prefault(false)
      .describe('Whether a control plane may lack the resource.'),
    scaleUp: scaleStep.describe('When it is raised, once the shoot is connected again.'),
    scaleDown: scaleStep.describe('When it is scaled to 0, once the shoot is cut off.'),
  },
  { error: 'a mapping of ref, optional, scaleUp and scaleDown' },
);

/** What the operator writes for the prober (SPEC 2); keys spelt as here, none unknown, durations in Go's notation. */
export const writtenProberConfig = z
  .strictObject(
    {
      kubeConfigSecretName: objectName(newerName)
        .optional()
        .describe(
          "The Secret in the shoot's control-plane namespace whose key `kubeconfig` leads to the shoot's API server. Shoots are judged by their leases.",
        ),
      internalKubeConfigSecretName: objectName(olderName)
        .optional()
        .describe(
          'In place of `kubeConfigSecretName`, and only together with the next key: the Secret whose kubeconfig leads straight to the API server. Shoots are judged by two paths.',
        ),
      externalKubeConfigSecretName: objectName(olderName)
        .optional()
        .describe('The Secret whose kubeconfig leads to the API server through the load balancer, as kubelets go.'),
      internalProbeFailureBackOffDuration: durationAbove0
        .prefault('30s')
        .describe(
          'With two paths: how long a shoot is left alone once its internal path has failed `failureThreshold` times in a row.',
        )
        .register(ofOneGeneration, {
          generation: 'twoPaths',
          because: `it belongs to the two paths of ${olderNames.join(' and ')}`,
        }),
      probeInterval: durationAbove0.prefault('10s').describe('From one probe of a shoot to the next.'),
      initialDelay: durationFrom0.prefault('30s').describe("Before a shoot's first probe."),
      probeTimeout: durationAbove0
        .prefault('30s')
        .describe('Bounds one whole probe; with two paths, an eighth of the grace does too.'),
      backoffJitterFactor: z
        .number({ error: aPart })
        .gte(0, { error: aPart })
        .lte(1, { error: aPart })
        .prefault(0.2)
        .describe('Intervals are lengthened at random by up to this part of them.'),
      kcmNodeMonitorGraceDuration: durationAbove0
        .prefault('40s')
        .describe("The kube-controller-manager's node-monitor-grace-period, unless the shoot sets its own."),
      nodeLeaseFailureFraction: z
        .number({ error: somePart })
        .gt(0, { error: somePart })
        .lte(1, { error: somePart })
        .prefault(0.6)
        .describe(
          'From this part of expired leases on, a shoot counts as cut off. One zone of three alone never reaches 0.6: its nodes are marked, and nothing is scaled down. Without effect with two paths.',
        )
        .register(ofOneGeneration, {
          generation: 'leases',
          because: `with ${olderNames.join(' and ')} no lease is judged`,
        }),
      failureThreshold: wholeNumber(1)
        .prefault(1)
        .describe(`Consecutive verdicts needed before scaling down. With two paths the default is ${failuresOnAPath}.`),
      successThreshold: wholeNumber(1).prefault(1).describe('Consecutive verdicts needed before scaling up.'),
      dependentResourceInfos: z
        .array(dependentResource, { error: 'a list of at least one resource' })
        .min(1, { error: 'a list of at least one resource' })
        // Editors see only what is the same in everything; the program looks at the `ref`.
        .meta({ uniqueItems: true, description: 'The resources that a cut-off shoot must do without.' }),
      name: withoutEffect('Of the older generation; has no effect.'),
      namespace: withoutEffect('Of the older generation; has no effect.'),
    },
    { error: 'a mapping with at least kubeConfigSecretName and dependentResourceInfos' },
  )
  // Which names go together. The program says it in its own words (`generation.ts`).
  .meta({
    title: "Configuration of dependency-watchdog's prober",
    if: { anyOf: [{ required: ['internalKubeConfigSecretName'] }, { required: ['externalKubeConfigSecretName'] }] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      properties: { kubeConfigSecretName: false },
      required: ['internalKubeConfigSecretName', 'externalKubeConfigSecretName'],
    },
    else: { required: ['kubeConfigSecretName'] },
  });

/** The same with the defaults of the older generation, for one that names its two Secrets (SPEC 2.2). */
export const writtenTwoPathConfig = writtenProberConfig.extend({
  failureThreshold: wholeNumber(1).prefault(failuresOnAPath),
});

/** Why a key says nothing in this generation; undefined where it does, and where there is no such key. */
export function ineffective(key: string, generation: Generation): string | undefined {
  const { shape } = writtenProberConfig;
  const only = Object.hasOwn(shape, key) ? ofOneGeneration.get(shape[key as keyof typeof shape]) : undefined;
  return only === undefined || only.generation === generation ? undefined : only.because;
}
