import type { Loose, WireAnswer, Wire } from './embedded-wire.ts';
import { change, create, overtake, type LostHistory } from './restored-scene.ts';

/** What a GET of each object shows that the backup holds, and the code for one that only the lost history had. */
export async function shownOf(of: LostHistory, wire: Wire): Promise<Readonly<{ objects: Loose; gone: number }>> {
  const objects: Record<string, Loose> = {};
  for (const name of Object.keys(of.backedUp)) objects[name] = (await wire.get(`${of.path}/${name}`)).body;
  return { objects, gone: (await wire.get(`${of.path}/gone`)).code };
}

/** What is answered to writes of a client that knows the lost history alone: by its versions, by its uids, by what there was. */
export async function writesByTheLost(of: LostHistory, wire: Wire): Promise<Readonly<Record<string, string>>> {
  const [changed, reborn] = [of.lost['changed'], of.lost['reborn']];
  const { uid, resourceVersion } = reborn.metadata;
  const unversioned = { ...reborn, metadata: { ...reborn.metadata, resourceVersion: undefined } };
  const inVersion = { metadata: { resourceVersion: changed.metadata.resourceVersion } };
  const data = { text: 'by what is lost' };
  const remove = (name: string, preconditions: unknown): Promise<WireAnswer> =>
    wire.call('DELETE', `${of.path}/${name}`, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions });
  const told = {
    'patched in its version': await wire.patch(`${of.path}/changed`, { ...inVersion, data }),
    'put in its version': await wire.call('PUT', `${of.path}/changed`, { ...changed, data }),
    'patched by its uid': await wire.patch(`${of.path}/reborn`, { metadata: { uid }, data }),
    'put by its uid': await wire.call('PUT', `${of.path}/reborn`, unversioned),
    'deleted by its uid': await remove('reborn', { uid }),
    'deleted by its version': await remove('reborn', { resourceVersion }),
    'created, and there again': await wire.call('POST', of.path, { metadata: { name: 'removed' } }),
    'patched, and gone': await wire.patch(`${of.path}/gone`, { data }),
  };
  return Object.fromEntries(Object.entries(told).map(([what, { code, body }]) => [what, `${code} ${body.reason}`]));
}

export const allRefused = {
  'patched in its version': '409 Conflict',
  'put in its version': '409 Conflict',
  'patched by its uid': '422 Invalid',
  'put by its uid': '409 Conflict',
  'deleted by its uid': '409 Conflict',
  'deleted by its version': '409 Conflict',
  'created, and there again': '409 AlreadyExists',
  'patched, and gone': '404 NotFound',
};

/** The first two events of each watch from here on: of what is written before etcd's counter has passed what was lost, and then. */
export async function toldOncePassed(of: LostHistory, watches: LostHistory['watches']): Promise<readonly string[][]> {
  const [one, other] = of.wires;
  if (one === undefined || other === undefined) throw new Error('there are two servers');
  await change(one, `${of.path}/kept`, 'early');
  await overtake(one, of.last.version);
  await create(one, of.path, 'late');
  await change(other, `${of.path}/kept`, 'late');
  return Promise.all(watches.map((watch) => watch.take(2)));
}
