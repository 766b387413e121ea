import { cutOff, type Happening, type HappeningKind, type Struck } from '../happening.ts';
import type { Scene, Shoot } from '../scene.ts';

/** The API server of one shoot is away, hangs, refuses or talks nonsense: what a probe sees of it must never be taken for dead nodes. */
export const shootServers: HappeningKind = {
  of: 'shoot',
  hourly: 1.5,
  draw({ at, shoot, between, oneOf }) {
    const kind = oneOf([
      'API server down',
      'API server unreachable',
      'API server hung',
      'API server throttled',
      'API server failed',
      'API server garbled',
      'API server cutting answers',
      'API server redirecting',
    ]);
    return [
      { at, kind, shoot, of: { code: oneOf([500, 503, 401, 403]), json: between(0, 1) } },
      { at: at + between(2_000, 400_000), kind: 'API server well', shoot },
    ];
  },
  strike: {
    'API server down': ({ shoot }) => void shoot?.down(),
    // The watchdog's own way is out: kubelets and controllers are served.
    'API server unreachable': ({ shoot }) => shoot?.hang('answer', () => true),
    'API server hung': ({ shoot }) => shoot?.hang(),
    'API server throttled': ({ shoot }) => shoot?.throttle(),
    'API server failed': ({ shoot, of }) => shoot?.api.setFault({ kind: 'status', code: of.code }),
    'API server garbled': ({ shoot, of }) => shoot?.garble(of.json === 1 ? 'json' : 'text'),
    'API server cutting answers': ({ shoot }) => shoot?.api.setFault({ kind: 'cut' }),
    'API server redirecting': ({ shoot }) =>
      shoot?.api.setFault({ kind: 'redirect', to: 'https://elsewhere.example/' }),
    'API server well': ({ shoot }) => void shoot?.up(),
  },
};

/**
 * A shoot's API server gives no answer for a while: nobody has one, as when its etcd starts afresh, or the watchdog alone, whose own way is out. At the
 * end of either the nodes may be cut off as well, and then it is what was seen meanwhile that tells one from the other (5.1).
 */
export const silences: HappeningKind = {
  of: 'shoot',
  hourly: 1,
  draw({ at, shoot, between, strikes }) {
    const length = between(20_000, 150_000);
    const [back, cutAt] = [at + length, at + between(length - 20_000, length)];
    const kind = strikes(0.6) ? 'API server down' : 'API server unreachable';
    const cut = strikes(0.4) ? cutOff(shoot, cutAt, back + between(60_000, 120_000)) : [];
    return [{ at, kind, shoot }, ...cut, { at: back, kind: 'API server well', shoot }];
  },
};

/** The etcd of a shoot is away: its API server gives its version, and no lists; they hang, or fail. */
export const etcdsAway: HappeningKind = {
  of: 'shoot',
  hourly: 0.7,
  draw: ({ at, shoot, between, oneOf }) => [
    { at, kind: 'its etcd away', shoot, of: { code: oneOf([0, 500, 503]) } },
    { at: at + between(15_000, 90_000), kind: 'API server well', shoot },
  ],
  strike: {
    'its etcd away'({ shoot, of: { code } }) {
      if (shoot === undefined) return;
      shoot.kubelets.reachable = false;
      const fault = code === 0 ? ({ kind: 'hang', at: 'answer' } as const) : ({ kind: 'status', code } as const);
      shoot.api.setFault(fault, ({ resource }) => resource !== '/version');
    },
  },
};

/** An API server that crashes again and again. */
export const crashLoops: HappeningKind = {
  of: 'shoot',
  hourly: 0.5,
  draw({ at, shoot, between, oneOf }) {
    const happenings: Happening[] = [];
    let downAt = at;
    for (let round = between(2, 5); round > 0; round--) {
      const upAt = downAt + between(10_000, oneOf([20_000, 60_000, 300_000]));
      happenings.push({ at: downAt, kind: 'API server down', shoot }, { at: upAt, kind: 'API server well', shoot });
      downAt = upAt + between(5_000, 30_000);
    }
    return happenings;
  },
};

/** An API server restarts just after a probe, so that the next one finds it back, and perhaps sooner than kubelets do. */
export const restartsUnseen: HappeningKind = {
  of: 'shoot',
  hourly: 2,
  draw: ({ at, shoot, between }) => [
    { at, kind: 'API server restarts', shoot, of: { length: between(18_000, 24_000), late: between(0, 1_500) } },
  ],
  strike: {
    'API server restarts'({ scene, shoot, agenda, of: { length, late } }) {
      const stop = shoot?.api.onRequest(({ resource }) => {
        if (resource !== 'leases') return;
        stop?.();
        if (scene.calmSince !== undefined) return;
        agenda.after(100, () => void shoot.down());
        agenda.after(length, () => void shoot.api.up());
        agenda.after(length + late, () => void shoot.up());
      });
    },
  },
};

/** Some of a shoot's API servers have clocks of their own, and any of them answers. */
export const disagreeing: HappeningKind = {
  of: 'shoot',
  hourly: 0.7,
  draw: ({ at, shoot, between, strikes }) => [
    { at, kind: 'servers disagree', shoot, of: { by: between(4_000, 90_000) * (strikes(0.5) ? 1 : -1) } },
    { at: at + between(120_000, 1_800_000), kind: 'servers agree', shoot },
  ],
  strike: {
    'servers disagree': ({ shoot, of }) => shoot && void (shoot.api.othersAhead = [0, of.by]),
    'servers agree': ({ shoot }) => shoot && void (shoot.api.othersAhead = []),
  },
  calm(scene) {
    for (const { api } of scene.seed.shoots) api.othersAhead = [];
  },
};

/**
 * One of a shoot's API servers ends, or has too much to do, just as the nodes are cut off, and so many of the connections as `which` has bits meet it: they are
 * answered 429. Another try in time finds the others.
 */
export const endingServers: HappeningKind = {
  of: 'shoot',
  hourly: 1,
  draw({ at, shoot, between, oneOf }) {
    const from = at + between(24_000, 34_000);
    const kind = oneOf(['API server ending', 'API server busy']);
    return [
      ...cutOff(shoot, at, at + between(90_000, 200_000)),
      { at: from, kind, shoot, of: { which: between(1, 0xffff) } },
      { at: from + between(2_000, 9_000), kind: 'API server well', shoot },
    ];
  },
  strike: {
    'API server ending': (struck) => refuseSome(struck, { retryAfterSeconds: 5, closes: true }),
    'API server busy': (struck) => refuseSome(struck, { retryAfterSeconds: 1, closes: false }),
  },
};

/** A connection begins with `/version`. */
function refuseSome({ shoot, of: { which } }: Struck, fault: Readonly<{ retryAfterSeconds: number; closes: boolean }>) {
  let connections = 0;
  shoot?.api.setFault({ kind: 'throttle', ...fault }, ({ resource }) => {
    if (resource !== '/version') return false;
    connections += 1;
    return ((which >> (connections % 16)) & 1) === 1;
  });
}

/** The history of a shoot, or of the seed, is compacted before each next page of a list, and pages are short, while nodes are cut off. */
export const forgottenPages: HappeningKind = {
  of: 'shoot',
  hourly: 0.7,
  draw({ at, shoot, between, oneOf }) {
    const length = between(90_000, 240_000);
    const whose = oneOf(['API server', 'API server', 'seed']);
    return [
      { at, kind: `${whose} forgetful`, shoot, of: { count: between(1, 3) } },
      ...cutOff(shoot, at + 5_000, at + length),
      { at: at + length, kind: `${whose} forgetful no more`, shoot },
    ];
  },
  strike: {
    'API server forgetful': ({ shoot, of }) => forget(shoot, of.count),
    'API server forgetful no more': ({ shoot }) => forget(shoot, undefined),
    'seed forgetful': ({ scene, of }) => forget(scene.seed, of.count),
    'seed forgetful no more': ({ scene }) => forget(scene.seed, undefined),
  },
  calm(scene) {
    for (const one of [scene.seed, ...scene.seed.shoots]) forget(one, undefined);
  },
};

function forget(whose: Pick<Shoot, 'api'> | Scene['seed'] | undefined, pages: number | undefined): void {
  if (whose !== undefined) whose.api.storage.store.forgetfulPages = pages;
}

/** What a shoot's owner, or a mistake, may put into a kubeconfig. */
const hostile: readonly string[] = [
  '',
  'no: kubeconfig',
  '{"clusters": 7, "users": [null], "contexts": "x"}',
  'apiVersion: v1\nkind: Config\nusers: [{name: u, user: {exec: {command: /bin/sh, args: [-c, "kill 1"]}}}]\n',
  '&a [*a, *a]\n',
  `x: ${'y'.repeat(300_000)}`,
];

/** The Secrets that lead to a shoot. */
export const secrets: HappeningKind = {
  of: 'shoot',
  hourly: 1,
  draw({ at, shoot, between, oneOf }) {
    const kind = oneOf(['Secret rotated', 'Secret rotated', 'Secret spoiled', 'Secret removed']);
    const of = { which: between(0, hostile.length - 1) };
    if (kind === 'Secret rotated') return [{ at, kind, shoot, of }];
    return [
      { at, kind, shoot, of },
      { at: at + between(1_000, 300_000), kind: 'Secret given back', shoot },
    ];
  },
  strike: {
    'Secret rotated': ({ shoot }) => shoot?.rotateSecret(),
    'Secret spoiled': ({ shoot, of }) => shoot?.writeSecret(hostile[of.which] ?? ''),
    'Secret removed': ({ shoot }) => shoot?.removeSecret(),
    'Secret given back': ({ shoot }) => shoot?.rotateSecret(),
  },
  calm(scene) {
    for (const shoot of scene.seed.shoots) shoot.rotateSecret();
  },
};
