import { beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { ShootNamespace } from '../../src/domain/shoot-namespace.ts';
import type { Clock, ShootApi } from '../../src/effects/ports.ts';

export type ShootApiStage = Readonly<{
  api: ShootApi;
  shoot: ShootNamespace;
  /** The one by which the API counts, and by which the kubelets renew. */
  clock: Clock;
  /** The nodes there are, each with a lease that was renewed within the last minute. */
  nodes: readonly string[];
  /** YAML that the shoot accepts, with an inline authority and token. */
  kubeconfig: string;
  /** What the next probe finds in the Secret. */
  setKubeconfig(text: string | undefined): void;
  /** PEM of an authority that is not the shoot's. */
  otherAuthority: string;
}>;

type Document = { clusters: [{ cluster: Record<string, string> }]; users: [{ user: Record<string, string> }] };

/** What each ShootApi must do, on whatever API server stands behind it. */
export function shootApiContract(name: string, open: () => Promise<ShootApiStage>): void {
  const never = new AbortController().signal;

  describe(`shoot API, ${name}`, () => {
    let stage: ShootApiStage;
    let deadlineAt: number;
    beforeEach(async () => {
      stage = await open();
      deadlineAt = stage.clock.now() + 30_000;
    });

    const leases = () => stage.api.listLeases(stage.shoot, deadlineAt, never);
    const nodes = () => stage.api.listNodes(stage.shoot, deadlineAt, never);
    const change = (edit: (document: Document) => void): void => {
      const document = parse(stage.kubeconfig) as Document;
      edit(document);
      stage.setKubeconfig(stringify(document));
    };
    const outcomes = async () => {
      const told = [];
      for (const answer of [await leases(), await nodes()])
        told.push(answer.ok ? 'ok' : `${answer.failure.stage} ${answer.failure.reason}`);
      return told;
    };

    test('4.3 each node has its lease, renewed of late', async () => {
      const askedAt = stage.clock.now();
      const answer = await leases();
      if (!answer.ok) throw new Error(answer.failure.detail);
      expect(answer.value.leases.map(({ node }) => node).toSorted()).toEqual([...stage.nodes].toSorted());
      for (const { renewedAt } of answer.value.leases)
        expect(Math.abs(askedAt - (renewedAt ?? 0))).toBeLessThan(60_000);
    });

    test('5.2 each node is there, with what makes it a candidate', async () => {
      const answer = await nodes();
      if (!answer.ok) throw new Error(answer.failure.detail);
      expect(answer.value.map((node) => node.name).toSorted()).toEqual([...stage.nodes].toSorted());
      for (const node of answer.value) expect(node).toMatchObject({ unmanaged: false, inPlaceUpdate: false });
    });

    test('4.1 without a Secret, and with a kubeconfig that has no token yet, there is no probe', async () => {
      stage.setKubeconfig(undefined);
      expect(await outcomes()).toEqual(['version kubeconfig', 'nodes kubeconfig']);
      change(({ users }) => {
        users[0].user['token'] = '';
      });
      expect(await outcomes()).toEqual(['version kubeconfig', 'nodes kubeconfig']);
    });

    test('4.1 the Secret is read afresh: a token that is wrong, and then right again', async () => {
      change(({ users }) => {
        users[0].user['token'] = 'of-nobody';
      });
      expect(await outcomes()).toEqual(['version unauthorized', 'nodes unauthorized']);
      stage.setKubeconfig(stage.kubeconfig);
      expect(await outcomes()).toEqual(['ok', 'ok']);
    });

    test('4.2 a server of another authority is not trusted', async () => {
      change(({ clusters }) => {
        clusters[0].cluster['certificate-authority-data'] = Buffer.from(stage.otherAuthority).toString('base64');
      });
      expect(await outcomes()).toEqual(['version certificate', 'nodes certificate']);
    });

    test('4.3 where nothing listens the shoot is unreachable', async () => {
      change(({ clusters }) => {
        clusters[0].cluster['server'] = 'https://127.0.0.1:1';
      });
      expect(await outcomes()).toEqual(['version unreachable', 'nodes unreachable']);
    });

    test('4.3 a deadline that has passed and a probe that is given up are answers', async () => {
      deadlineAt = stage.clock.now();
      expect(await outcomes()).toEqual(['version timeout', 'nodes timeout']);
      const abort = new AbortController();
      const answer = stage.api.listLeases(stage.shoot, stage.clock.now() + 30_000, abort.signal);
      abort.abort();
      expect(await answer).toMatchObject({ ok: false });
    });

    test('3.4 many probes at once do not get into each other’s way', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => leases()));
      expect(answers.filter(({ ok }) => ok).length).toBe(20);
    });
  });
}
