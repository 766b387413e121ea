import type { Instant } from '../../../domain/time.ts';
import { instantText } from '../../words/plain-words.ts';
import { hideSecrets } from '../../words/secrets.ts';

/** What was done or tried, for those who read `action`: as the verbs of other controllers. */
const actions = {
  ScaledDown: 'ScaleDown',
  ScaledUp: 'ScaleUp',
  ScalingFailed: 'Scale',
  PartlyCutOff: 'Probe',
  ScalingTimedOut: 'Scale',
  RaisedDuringOutage: 'ScaleDown',
  ReplicasRecordUnreadable: 'ScaleUp',
  Weeded: 'Delete',
  WeedingFailed: 'Delete',
};

/** Something that happened to an object of the seed, as a Kubernetes event tells it (SPEC 9.5). */
export type Occurrence = Readonly<{
  namespace: string;
  ref: Readonly<{ apiVersion: string; kind: string; name: string }>;
  /** Of the object; absent where only its name is known. */
  uid?: string;
  type: 'Normal' | 'Warning';
  reason: keyof typeof actions;
  message: string;
}>;

/** In bytes; Kubernetes takes a kilobyte. */
const longestMessage = 1_000;
/** Leaves room for what makes an event's name unique within the 253 characters of a name. */
const longestName = 220;

/** A core/v1 Event; the kind that Gardener's roles speak of. `count` makes the name unique within an instant. */
export function eventObject(
  { namespace, ref, uid, type, reason, message }: Occurrence,
  { component, at, count }: Readonly<{ component: string; at: Instant; count: number }>,
): unknown {
  const timestamp = instantText(at).replace(/\.\d+Z$/, 'Z');
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${ref.name.slice(0, longestName)}.${Math.trunc(at).toString(16)}${count.toString(16)}`,
      namespace,
    },
    involvedObject: { apiVersion: ref.apiVersion, kind: ref.kind, name: ref.name, namespace, uid },
    type,
    reason,
    action: actions[reason],
    message: shortened(hideSecrets(message)),
    source: { component },
    reportingComponent: component,
    firstTimestamp: timestamp,
    lastTimestamp: timestamp,
    count: 1,
  };
}

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= longestMessage) return text;
  // The cut may split a character.
  return `${bytes
    .subarray(0, longestMessage)
    .toString()
    .replace(/\uFFFD$/, '')}…`;
}
