import type { MachineView } from '../../domain/candidates.ts';
import { readMachine } from '../../domain/machine-reading.ts';
import type { ProbeFailure } from '../../domain/probe-failure.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import { textAt, valueAt } from '../../domain/value-at.ts';
import type { Clock, MachineApi } from '../../effects/ports.ts';
import type { KubeClient } from '../kube-client.ts';
import { KubeError } from '../kube-error.ts';

const pageSize = 500;

/** Twice upstream's limit of 5,000 nodes a cluster. */
const mostPages = 20;

/**
 * Machines of `machine.sapcloud.io/v1alpha1` in the shoot's namespace (SPEC 5.2), urgent, page by page. A seed that
 * does not serve the kind (404) has not answered: taken for an empty list, it would make every shoot a connected one
 * without candidates, and raise what an outage needs down.
 */
export function kubeMachineApi(client: KubeClient, clock: Clock): MachineApi {
  return {
    async listMachines(shoot, deadlineAt, signal) {
      // The client's own time-out begins when a request is sent; the deadline holds in its queue as well.
      const cut = new AbortController();
      const abort = (): void => cut.abort();
      const deadline = clock.wakeAt(deadlineAt).subscribe(abort);
      signal.addEventListener('abort', abort);
      if (signal.aborted || clock.now() >= deadlineAt) abort();
      try {
        return { ok: true, value: await readPages(client, shoot, () => deadlineAt - clock.now(), cut.signal) };
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        return { ok: false, failure: failureOf(error, clock.now() >= deadlineAt) };
      } finally {
        deadline.unsubscribe();
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

async function readPages(
  client: KubeClient,
  shoot: ShootNamespace,
  timeLeft: () => number,
  signal: AbortSignal,
): Promise<readonly MachineView[]> {
  const path = `/apis/machine.sapcloud.io/v1alpha1/namespaces/${encodeURIComponent(shoot)}/machines`;
  const machines: MachineView[] = [];
  let next = '';
  for (let page = 0; page < mostPages; page++) {
    const query = { limit: String(pageSize), ...(next === '' ? {} : { continue: next }) };
    const timeout = Math.max(0, timeLeft());
    const list = await client.request({ method: 'GET', path, query, urgent: true, timeout, signal });
    const items = valueAt(list, 'items') ?? [];
    if (!Array.isArray(items))
      throw new KubeError('garbled', `list machines ${shoot} was answered with what is no list`);
    machines.push(...items.flatMap((item: unknown) => readMachine(item) ?? []));
    next = textAt(list, 'metadata', 'continue');
    if (next === '') return machines;
  }
  throw new KubeError('garbled', `list machines ${shoot} has more than ${mostPages * pageSize} items`, {
    reason: 'TooLarge',
  });
}

function failureOf(error: KubeError, late: boolean): ProbeFailure {
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
    // Cut by the probe's end, or never sent: nobody is to blame at the other end.
    case 'aborted':
    case 'withdrawn':
    case 'overloaded':
      return 'timeout';
  }
}
