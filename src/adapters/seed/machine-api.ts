import { readMachine } from '../../domain/prober/candidates.ts';
import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { Clock, MachineApi } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { machinesPath } from '../kube/paths.ts';
import { withDeadline } from '../clock/deadline.ts';
import { listPages } from '../reading/list-pages.ts';
import { ProbeFailed } from '../reading/probe-failed.ts';
import { readingShare } from '../reading/reading-share.ts';
import { machinesProbeBytes, machinesProbeValues } from '../reading/shoot-limits.ts';
import { pacer } from '../reading/pacer.ts';

/**
 * Lists the Machines of `machine.sapcloud.io/v1alpha1` in the shoot's namespace (SPEC 5.2), page by page. A seed that
 * does not serve the kind (404) counts as no answer. If it counted as an empty list, every shoot would be connected and without
 * candidates, and we would scale up what must stay down in an outage.
 *
 * The seed answers, but part of the content comes from a stranger: a Machine repeats the conditions of its node. So the list is
 * read within the same limits as the answers of the shoot itself (SPEC 4.7).
 */
export function kubeMachineApi(client: Pick<KubeClient, 'pieces'>, clock: Clock): MachineApi {
  const turn = pacer(1);
  return {
    async listMachines(shoot, deadlineAt, signal, { urgent, by }) {
      const path = machinesPath(shoot);
      const lane = urgent ? 'urgent' : 'healing';
      const share = readingShare({ whose: `the list of machines ${shoot}`, mostBytes: machinesProbeBytes, turn });
      const list = (cut: AbortSignal) =>
        listPages({
          kind: 'MachineList',
          keeps,
          mostValues: machinesProbeValues,
          // A Machine without a node is a Machine all the same.
          read: (object) => readMachine(object) ?? nowhere,
          sizeOf: ({ node, phase }) => node.length + phase.length + marks,
          ask: async (query, take) => {
            const timeout = Math.max(0, deadlineAt - clock.now());
            for await (const piece of client.pieces({ method: 'GET', path, query, lane, by, timeout, signal: cut })) {
              share.receive(piece.length);
              await share.read(piece, take);
            }
          },
        });
      try {
        const { items } = await withDeadline(clock, deadlineAt, signal, list);
        return { ok: true, value: items.filter((one) => one !== nowhere) };
      } catch (error) {
        return { ok: false, failure: failureOf(error, clock.now() >= deadlineAt) };
      }
    },
  };
}

const nowhere = { node: '', phase: '' };

const keeps = new Set(['metadata', 'labels', 'status', 'currentStatus']);

/** Characters that stand around a Machine in an event's JSON. */
const marks = 24;

/** Rethrows an error that is a bug of ours. */
function failureOf(error: unknown, late: boolean): ProbeFailure {
  if (error instanceof ProbeFailed) return { stage: 'machines', ...error.failure };
  if (!(error instanceof KubeError)) throw error;
  const failure = { stage: 'machines', reason: late ? 'timeout' : reasonOf(error), detail: error.message } as const;
  return error.retryAfter === undefined ? failure : { ...failure, retryAfter: error.retryAfter };
}

function reasonOf({ kind, status, reason }: KubeError): ProbeFailure['reason'] {
  switch (kind) {
    case 'status':
      if (status === 401 || status === 403) return 'unauthorized';
      return status === 429 ? 'throttled' : 'refused';
    case 'garbled':
      return reason === 'TooLarge' ? 'tooLarge' : 'garbled';
    case 'certificate':
    case 'timeout':
    case 'unreachable':
      return kind;
    // The probe's end cut it, or it was never sent: the seed is not to blame.
    case 'aborted':
    case 'withdrawn':
    case 'overloaded':
      return 'timeout';
  }
}
