import type { ServerResponse } from 'node:http';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { JsonObject } from '@dwd/simulator/store/kube-object.ts';
import { leaseObject, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';

type Answer = (response: ServerResponse, now: Instant) => void;

/** What the owner of a shoot may do to a prober that probes it (SPEC 4.7). */
export type Attack = Readonly<{
  name: string;
  /** It costs the attacker so much more than us that only the bench waits for it. */
  tiresome?: true;
  /** What the shoot's API server answers in place of its own answer. */
  answers?: Partial<Record<'/version' | 'leases' | 'nodes', Answer>>;
  /** Merged into the Cluster's `spec.shoot`. */
  cluster?: JsonObject;
  /** Merged into each of the shoot's Machines. */
  machine?: JsonObject;
  /** How often its Secret, or its Cluster, is written anew. */
  rewrites?: Readonly<{ what: 'secret' | 'cluster'; aSecond: number }>;
}>;

/** The nodes that an embedded shoot has. */
const own = Array.from({ length: 5 }, (_, index) => `node-00${index + 1}`);
const many = (count: number, length = 0) =>
  Array.from({ length: count }, (_, index) => `node-${index}-`.padEnd(length, 'x'));

const json = (response: ServerResponse, text: string | Buffer): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
};

function listText(kind: string, items: readonly unknown[]): string {
  return JSON.stringify({ kind, apiVersion: 'v1', metadata: { resourceVersion: '1' }, items });
}

/** `age` of each lease in milliseconds. */
const leases =
  (names: readonly string[], age: (index: number) => number): Answer =>
  (response, now) =>
    json(
      response,
      listText(
        'LeaseList',
        names.map((name, index) => leaseObject(name, now - age(index))),
      ),
    );

/** One lease is expired, so that nodes and Machines are asked for with each probe; it is too few for anything else. */
const oneExpired = (names: readonly string[]): Answer => leases(names, (index) => (index === 0 ? 60_000 : 1_000));

/** Made once: to make 40 MB for each answer would cost the machine more than reading them. */
const nodes = (
  names: readonly string[],
  change: (node: JsonObject, index: number) => JsonObject = (node) => node,
): Answer => {
  let text: Buffer | undefined;
  return (response, now) => {
    text ??= Buffer.from(
      listText(
        'NodeList',
        names.map((name, index) => change(nodeObject(name, now), index)),
      ),
    );
    json(response, text);
  };
};

/** Writes pieces for as long as anybody reads them. */
const endless =
  (head: string, piece: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(head);
    const bytes = Buffer.from(piece);
    const more = (): void => {
      while (!response.destroyed && response.write(bytes));
    };
    response.on('drain', more);
    more();
  };

const drip: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

/** TLS records of one byte. */
const crumbs: Answer = ({ socket }) => {
  socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n');
  const more = (error?: Error | null): void => {
    if (!error && socket?.writable) socket.write(' ', more);
  };
  more();
};

const raw =
  (text: string): Answer =>
  ({ socket }) =>
    void socket?.end(Buffer.from(text, 'latin1'));

const odd = Array.from({ length: 32 }, (_, index) => ({ type: `${index}`.padEnd(128, 'x'), status: 'True' }));
const oddNode = (node: JsonObject): JsonObject => ({ ...node, status: { conditions: odd } });
/** The costliest that may be parsed: each key is another one. */
const newKeys = (node: JsonObject, index: number): JsonObject => ({
  ...node,
  metadata: {
    ...(node['metadata'] as JsonObject),
    labels: Object.fromEntries(many(4_000).map((key) => [`${index}-${key}`, 0])),
  },
});
const pem = '-----BEGIN A-----x"y';
const absurdTimes = [
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '-271821-04-20T00:00:00Z',
  'NaN',
  '',
  '2026-02-30',
];
const absurd: Answer = (response) => {
  const names = [pem, '__proto__', 'constructor', '\u202e"\\\n', 'eyJhbGciOiJub25lIn0.e30.', '${1}', '$&', ''];
  const items = names.slice(0, -1).map((name, index) => ({
    metadata: { name },
    spec: { renewTime: absurdTimes[index % absurdTimes.length] },
  }));
  json(response, listText('LeaseList', [...items, leaseObject('node-001', 0), leaseObject('node-002', 8.64e15)]));
};

const pool = (conditions: readonly string[]): JsonObject => ({
  spec: {
    provider: {
      workers: [{ name: 'worker', machineControllerManager: { nodeConditions: [...conditions] } }],
    },
  },
});

const deep = (depth: number): JsonObject => JSON.parse(`${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`) as JsonObject;

export const attacks: readonly Attack[] = [
  {
    name: '90,000 node conditions',
    cluster: pool(many(90_000)),
    answers: { leases: oneExpired(many(60)), nodes: nodes(many(60)) },
  },
  {
    name: 'all node conditions that are let in',
    cluster: pool(many(2_048, 128)),
    answers: { leases: oneExpired(many(500)), nodes: nodes(many(500), oddNode) },
  },
  {
    name: '8,000 nodes with 32 conditions of 128 characters',
    answers: { leases: oneExpired(own), nodes: nodes(many(8_000), oddNode) },
  },
  { name: 'keys that were never seen before', answers: { leases: oneExpired(own), nodes: nodes(many(480), newKeys) } },
  {
    name: 'leases about to cross',
    answers: { leases: leases(own, (index) => (index === 0 ? 60_000 : 29_740)), nodes: nodes(own) },
  },
  { name: '50,000 leases', answers: { leases: leases(many(50_000), () => 1_000) } },
  {
    name: 'as many leases as are let in',
    answers: { leases: oneExpired(many(10_000, 100)), nodes: nodes(many(8_000, 70)) },
  },
  {
    name: 'an endless list',
    answers: { leases: endless('{"kind":"LeaseList","items":[{}', ',{"a":[{}]}'.repeat(5_000)) },
  },
  { name: 'an endless text', answers: { leases: endless('{"kind":"', 'x'.repeat(65_536)) } },
  { name: 'a dripping answer', answers: { leases: drip } },
  { name: 'records of one byte', tiresome: true, answers: { leases: crumbs } },
  { name: 'absurd names and instants', answers: { leases: absurd, nodes: nodes([pem, '__proto__', ...own]) } },
  {
    name: 'redirects',
    answers: { '/version': (response) => response.writeHead(302, { location: 'https://127.0.0.1:1/version' }).end() },
  },
  {
    name: 'early answers',
    answers: { '/version': raw('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50)) },
  },
  {
    name: 'a version without an end',
    answers: { '/version': endless('{"gitVersion":"', 'x'.repeat(65_536)) },
  },
  { name: 'a dripping version', answers: { '/version': drip } },
  { name: 'a version in records of one byte', tiresome: true, answers: { '/version': crumbs } },
  {
    name: 'huge Machines',
    machine: {
      status: { conditions: Array.from({ length: 6_000 }, (_, index) => ({ ...odd[0], reason: `r${index}` })) },
    },
    answers: { leases: oneExpired(own), nodes: nodes(own) },
  },
  {
    name: 'a huge Cluster',
    cluster: { metadata: { annotations: { large: 'x'.repeat(1_300_000) } }, spec: { dns: deep(1_000) } },
    rewrites: { what: 'cluster', aSecond: 2 },
  },
  { name: 'a Secret rewritten a hundred times a second', rewrites: { what: 'secret', aSecond: 100 } },
];

/** From now on the shoot's owner does this to its prober. */
export function launchAttack(seed: EmbeddedSeed, shoot: EmbeddedShoot, attack: Attack, clock: Clock): void {
  const { answers = {}, cluster, machine, rewrites } = attack;
  const answerTo = (resource: string) => Object.entries(answers).find(([asked]) => asked === resource)?.[1];
  shoot.says(
    ({ resource }, response) => answerTo(resource)?.(response, clock.now()),
    ({ resource }) => answerTo(resource) !== undefined,
  );
  if (cluster !== undefined) shoot.editShoot(cluster);
  if (machine !== undefined) for (const node of shoot.nodes) shoot.editMachine(node, machine);
  if (rewrites === undefined) return;
  let written = 0;
  const rewrite = (): void => {
    written += 1;
    if (rewrites.what === 'secret') shoot.rotateSecret();
    else shoot.editShoot({ metadata: { generation: written } });
    seed.api.agenda.after(1_000 / rewrites.aSecond, rewrite);
  };
  rewrite();
}
