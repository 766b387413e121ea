import type { RealApiServer } from '../../real/api-server.ts';

/** What the seed showed of a Lease: who held it, from when on this machine's clock. An empty holder has given it up. */
type Held = Readonly<{ at: number; holder: string }>;

/** Who led, as the Lease of a role tells it. */
export class SeenLease {
  readonly history: Held[] = [];

  constructor(server: RealApiServer, role: 'prober' | 'weeder', signal: AbortSignal) {
    const name = `dwd-${role}-leader-election`;
    const path = `/apis/coordination.k8s.io/v1/namespaces/garden/leases?watch=1&fieldSelector=metadata.name=${name}`;
    const onEvent = ({ object }: { object: Record<string, unknown> }) => {
      const { holderIdentity: holder = '' } = object['spec'] as Record<string, string>;
      this.history.push({ at: Date.now(), holder });
    };
    server.watch(path, onEvent).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  get holder(): string {
    return this.history.at(-1)?.holder ?? '';
  }

  /**
   * How it went over the last time: for how long nobody held it, in ms, from its last renewal or its release by the former holder until
   * another one was seen to hold it, and whether it was given up. Undefined where it never did.
   */
  get wentOver(): Readonly<{ gap: number; wasGivenUp: boolean }> | undefined {
    const { history } = this;
    const taken = history.findLastIndex(
      ({ holder }, index) => holder !== '' && index > 0 && history[index - 1]!.holder !== holder,
    );
    if (taken <= 0) return undefined;
    return { gap: history[taken]!.at - history[taken - 1]!.at, wasGivenUp: history[taken - 1]!.holder === '' };
  }
}
