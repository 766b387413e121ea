import { beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Clock, ShootApi } from 'dependency-watchdog/effects/ports.ts';

export type ShootApiStage = Readonly<{
  api: ShootApi;
  shoot: ShootNamespace;
  /** The one by which the API counts, and by which the kubelets renew. */
  clock: Clock;
  /** The nodes there are, each with a lease that was renewed within the last minute. */
  nodes: readonly string[];
  /** From now on nothing listens where the shoot's API server should be. */
  leave(): void;
}>;

export type KubeconfigStage = Omit<ShootApiStage, 'leave'> &
  Readonly<{
    /** YAML that the shoot accepts, with an inline authority and token. */
    kubeconfig: string;
    /** What the next probe finds in the Secret. */
    setKubeconfig(text: string | undefined): void;
    /** PEM of an authority that is not the shoot's. */
    otherAuthority: string;
  }>;

type Document = { clusters: [{ cluster: Record<string, string> }]; users: [{ user: Record<string, string> }] };

const never = new AbortController().signal;

/** What every ShootApi must do, whatever is behind it. `open` sets a fresh scene for each test. */
export function shootApiContract(name: string, open: () => Promise<ShootApiStage>): void {
  describe(`shoot API, ${name}`, () => {
    const stage = opened(open);

    test('4.3 each node has its lease, renewed of late', async () => {
      const askedAt = stage.now.clock.now();
      const answer = await stage.leases();
      if (!answer.ok) throw new Error(answer.failure.detail);
      expect(answer.value.leases.map(({ node }) => node).toSorted()).toEqual([...stage.now.nodes].toSorted());
      for (const { renewedAt } of answer.value.leases)
        expect(Math.abs(askedAt - (renewedAt ?? 0))).toBeLessThan(60_000);
    });

    test('5.2 each node is there, with what makes it a candidate', async () => {
      const answer = await stage.nodes();
      if (!answer.ok) throw new Error(answer.failure.detail);
      expect(answer.value.map((node) => node.name).toSorted()).toEqual([...stage.now.nodes].toSorted());
      for (const node of answer.value) expect(node).toMatchObject({ unmanaged: false, inPlaceUpdate: false });
    });

    test('4.3 where nothing listens the shoot is unreachable', async () => {
      stage.now.leave();
      expect(await stage.outcomes()).toEqual(['version unreachable', 'nodes unreachable']);
    });

    test('4.3 a deadline that has passed and a probe that is given up are answers', async () => {
      const { api, shoot, clock } = stage.now;
      expect(await stage.outcomes(clock.now())).toEqual(['version timeout', 'nodes timeout']);
      const abort = new AbortController();
      const answer = api.listLeases(shoot, clock.now() + 30_000, abort.signal);
      abort.abort();
      expect(await answer).toMatchObject({ ok: false });
    });

    test('3.4 many probes at once do not get into each other’s way', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => stage.leases()));
      expect(answers.filter(({ ok }) => ok).length).toBe(20);
    });
  });
}

/** What a ShootApi must make of kubeconfigs, besides. */
export function kubeconfigContract(name: string, open: () => Promise<KubeconfigStage>): void {
  shootApiContract(name, async () => {
    const stage = await open();
    const leave = () => change(stage, ({ clusters }) => void (clusters[0].cluster['server'] = 'https://127.0.0.1:1'));
    return { ...stage, leave };
  });

  describe(`shoot API, ${name}`, () => {
    const stage = opened(open);

    test('4.1 without a Secret, and with a kubeconfig that has no token yet, there is no probe', async () => {
      stage.now.setKubeconfig(undefined);
      expect(await stage.outcomes()).toEqual(['version kubeconfig', 'nodes kubeconfig']);
      change(stage.now, ({ users }) => void (users[0].user['token'] = ''));
      expect(await stage.outcomes()).toEqual(['version kubeconfig', 'nodes kubeconfig']);
    });

    test('4.1 the Secret is read afresh: a token that is wrong, and then right again', async () => {
      change(stage.now, ({ users }) => void (users[0].user['token'] = 'of-nobody'));
      expect(await stage.outcomes()).toEqual(['version unauthorized', 'nodes unauthorized']);
      stage.now.setKubeconfig(stage.now.kubeconfig);
      expect(await stage.outcomes()).toEqual(['ok', 'ok']);
    });

    test('4.2 a server of another authority is not trusted', async () => {
      const authority = Buffer.from(stage.now.otherAuthority).toString('base64');
      change(stage.now, ({ clusters }) => void (clusters[0].cluster['certificate-authority-data'] = authority));
      expect(await stage.outcomes()).toEqual(['version certificate', 'nodes certificate']);
    });
  });
}

/** A stage for each test, and the questions of a probe. */
function opened<Stage extends Omit<ShootApiStage, 'leave'>>(open: () => Promise<Stage>) {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = await open();
  });
  const now = (): Stage => {
    if (stage === undefined) throw new Error('no test has begun');
    return stage;
  };
  const leases = (deadlineAt = now().clock.now() + 30_000) => now().api.listLeases(now().shoot, deadlineAt, never);
  const nodes = (deadlineAt = now().clock.now() + 30_000) => now().api.listNodes(now().shoot, deadlineAt, never);
  return {
    get now() {
      return now();
    },
    leases,
    nodes,
    outcomes: async (deadlineAt?: number) =>
      [await leases(deadlineAt), await nodes(deadlineAt)].map((answer) =>
        answer.ok ? 'ok' : `${answer.failure.stage} ${answer.failure.reason}`,
      ),
  };
}

function change({ kubeconfig, setKubeconfig }: KubeconfigStage, edit: (document: Document) => void): void {
  const document = parse(kubeconfig) as Document;
  edit(document);
  setKubeconfig(stringify(document));
}
