import { beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { judgePath, type ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock, ShootApi } from 'dependency-watchdog/effects/ports.ts';
import type { LoadBalancer } from '../api/load-balancer.ts';
import type { PathFault } from '../api/balancer.ts';

export type ShootPathsStage = Readonly<{
  api: ShootApi;
  shoot: ShootNamespace;
  clock: Clock;
  /** Waits for the work. `hangs`: until its deadline, since nothing else ends it. */
  wait<Value>(work: Promise<Value>, hangs: boolean): Promise<Value>;
  /** What stands between the external path and the API server: it answers nobody any more, or closes its port. */
  fail(as: 'hang' | 'refuse'): Promise<void>;
  heal(): Promise<void>;
  /** From now on nothing listens where the shoot's API server should be, on either path. */
  leave(): void;
}>;

export type BalancedPathsStage = Omit<ShootPathsStage, 'fail' | 'heal' | 'leave'> &
  Readonly<{
    /** Only the external path goes through it. */
    loadBalancer: LoadBalancer;
    /** YAML that the shoot accepts, with an inline authority and token. */
    kubeconfigs: Readonly<Record<ShootPath, string>>;
    /** What the next question finds in the Secret. */
    setKubeconfig(path: ShootPath, text: string | undefined): void;
    /** PEM of an authority that is not the shoot's. */
    otherAuthority: string;
  }>;

type Document = {
  clusters: [{ cluster: Record<string, unknown> }];
  users: [{ user: Record<string, unknown> }];
};

const never = new AbortController().signal;
const paths = ['internal', 'external'] as const;
/** For what is answered, on a machine that is busy too, and for what hangs. */
const patience: Millis = 30_000;
const short: Millis = 3_000;

/** What asking on two paths comes to (SPEC 4.9), whatever is behind it. `open` sets a fresh scene for each test. */
export function shootPathsContract(name: string, open: () => Promise<ShootPathsStage>): void {
  describe(`shoot paths, ${name}`, () => {
    const stage = opened(open);

    test('4.9 both paths lead to the API server, side by side', async () => {
      expect(await stage.both()).toEqual(['answered', 'answered']);
    });

    test('4.9 a load balancer that refuses is a failure of the external path alone, until it heals', async () => {
      await stage.now.fail('refuse');
      expect(await stage.both()).toEqual(['answered', 'external unreachable']);
      await stage.now.heal();
      expect(await stage.both()).toEqual(['answered', 'answered']);
    });

    test('4.9 a load balancer that is half open costs the deadline, and the internal path nothing', async () => {
      await stage.now.fail('hang');
      const deadlineAt = stage.now.clock.now() + short;
      expect(await stage.both('external hangs')).toEqual(['answered', 'external timeout']);
      expect(stage.now.clock.now()).toBeGreaterThanOrEqual(deadlineAt);
    });

    test('4.9 where nothing listens neither path leads anywhere', async () => {
      stage.now.leave();
      expect(await stage.both()).toEqual(['internal unreachable', 'external unreachable']);
    });

    test('4.9 a question whose time is over, and one that is given up, ends and is no answer', async () => {
      const { api, shoot, clock, wait } = stage.now;
      for (const path of paths) {
        const late = api.askPath(shoot, path, clock.now(), never);
        expect(judgePath(await wait(late, false))).not.toBe('answered');
        const abort = new AbortController();
        const answer = api.askPath(shoot, path, clock.now() + patience, abort.signal);
        abort.abort();
        expect(judgePath(await wait(answer, false))).not.toBe('answered');
      }
    });

    test('3.4 4.9 many questions at once do not get into each other’s way', async () => {
      const told = await Promise.all(Array.from({ length: 20 }, (_, turn) => stage.ask(paths[turn % 2]!)));
      expect(new Set(told)).toEqual(new Set(['answered']));
    });
  });
}

/** The same through a TCP load balancer, and with two kubeconfigs. */
export function balancedPathsContract(name: string, open: () => Promise<BalancedPathsStage>): void {
  shootPathsContract(name, async () => {
    const stage = await open();
    const { loadBalancer } = stage;
    return {
      ...stage,
      fail: (kind) => loadBalancer.setFault({ kind }),
      heal: () => loadBalancer.heal(),
      leave: () => {
        for (const path of paths) edit(stage, path, (cluster) => (cluster['server'] = 'https://127.0.0.1:1'));
      },
    };
  });

  describe(`shoot paths, ${name}`, () => {
    const stage = opened(open);

    test.each<readonly [string, PathFault, string]>([
      ['resets each connection', { kind: 'cut' }, 'external unreachable'],
      ['resets after the handshake', { kind: 'reset' }, 'external unreachable'],
      ['is slow, but within the deadline', { kind: 'slow', delay: 20 }, 'answered'],
      ['is too slow', { kind: 'slow', delay: short }, 'external timeout'],
    ])('4.9 a load balancer that %s', async (_, fault, told) => {
      await stage.now.loadBalancer.setFault(fault);
      expect(await stage.both(told.endsWith('timeout') ? 'external hangs' : 'both end')).toEqual(['answered', told]);
      await stage.now.loadBalancer.heal();
      expect(await stage.both()).toEqual(['answered', 'answered']);
    });

    test('4.9 a connection that breaks while its answer is awaited is a failure of its path', async () => {
      const { loadBalancer } = stage.now;
      await loadBalancer.setFault({ kind: 'hang' });
      const external = stage.ask('external');
      await expect.poll(() => loadBalancer.connectionsNow, { interval: 1 }).toBe(1);
      await loadBalancer.setFault({ kind: 'cut' });
      expect(await external).toBe('external unreachable');
    });

    test('4.9 each question has a connection of its own, and leaves none behind', async () => {
      const { loadBalancer } = stage.now;
      const before = loadBalancer.connectionCount;
      for (let turn = 0; turn < 3; turn++) expect(await stage.both()).toEqual(['answered', 'answered']);
      expect(loadBalancer.connectionCount - before).toBe(3);
      await expect.poll(() => loadBalancer.connectionsNow, { interval: 1 }).toBe(0);
    });

    describe.each(paths)('the %s Secret', (path) => {
      const other = path === 'internal' ? 'external' : 'internal';
      const told = async (): Promise<string> => {
        expect(await stage.ask(other), 'the other path').toBe('answered');
        return stage.ask(path);
      };

      test('4.1 4.9 is missing, or has no token yet, and there again', async () => {
        stage.now.setKubeconfig(path, undefined);
        expect(await told()).toBe(`${path} kubeconfig`);
        edit(stage.now, path, (_, user) => (user['token'] = ''));
        expect(await told()).toBe(`${path} kubeconfig`);
        stage.now.setKubeconfig(path, stage.now.kubeconfigs[path]);
        expect(await told()).toBe('answered');
      });

      test('4.1 4.9 is rotated: a token that is refused is an answer, and the right one is used at once', async () => {
        edit(stage.now, path, (_, user) => (user['token'] = 'of-nobody'));
        const { api, shoot, clock } = stage.now;
        const failure = await api.askPath(shoot, path, clock.now() + patience, never);
        expect(failure).toMatchObject({ stage: path, reason: 'unauthorized' });
        expect(judgePath(failure)).toBe('answered');
        stage.now.setKubeconfig(path, stage.now.kubeconfigs[path]);
        expect(await api.askPath(shoot, path, clock.now() + patience, never)).toBeUndefined();
      });

      test('4.2 4.9 trusts another authority', async () => {
        const authority = Buffer.from(stage.now.otherAuthority).toString('base64');
        edit(stage.now, path, (cluster) => (cluster['certificate-authority-data'] = authority));
        expect(await told()).toBe(`${path} certificate`);
      });

      test.each<readonly [string, Parameters<typeof edit>[2]]>([
        ['a program', (_, user) => (user['exec'] = { command: '/bin/true', apiVersion: 'v1' })],
        ['a file with the token', (_, user) => (user['tokenFile'] = '/dev/null')],
        ['a file with the authority', (cluster) => (cluster['certificate-authority'] = '/dev/null')],
        ['no look at the certificate', (cluster) => (cluster['insecure-skip-tls-verify'] = true)],
        ['a proxy', (cluster) => (cluster['proxy-url'] = 'http://127.0.0.1:1')],
        ['no TLS', (cluster) => (cluster['server'] = String(cluster['server']).replace('https', 'http'))],
      ])('4.2 4.9 wants %s: nothing is opened', async (_, change) => {
        edit(stage.now, path, change);
        const before = stage.now.loadBalancer.connectionCount;
        expect(await stage.ask(path)).toBe(`${path} kubeconfig`);
        expect(stage.now.loadBalancer.connectionCount).toBe(before);
      });
    });
  });
}

/** A stage for each test, and the questions of a probe: `answered`, or the stage and the reason of the failure. */
function opened<Stage extends Pick<ShootPathsStage, 'api' | 'shoot' | 'clock' | 'wait'>>(open: () => Promise<Stage>) {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = await open();
  });
  const now = (): Stage => {
    if (stage === undefined) throw new Error('no test has begun');
    return stage;
  };
  const ask = async (path: ShootPath, hangs = false): Promise<string> => {
    const { api, shoot, clock, wait } = now();
    const failure = await wait(api.askPath(shoot, path, clock.now() + (hangs ? short : patience), never), hangs);
    return failure === undefined ? 'answered' : `${failure.stage} ${failure.reason}`;
  };
  return {
    get now() {
      return now();
    },
    ask,
    both: (how: 'both end' | 'external hangs' = 'both end') =>
      Promise.all([ask('internal'), ask('external', how === 'external hangs')]),
  };
}

type Edit = (cluster: Record<string, unknown>, user: Record<string, unknown>) => unknown;

function edit({ kubeconfigs, setKubeconfig }: BalancedPathsStage, path: ShootPath, change: Edit): void {
  const document = parse(kubeconfigs[path]) as Document;
  change(document.clusters[0].cluster, document.users[0].user);
  setKubeconfig(path, stringify(document));
}
