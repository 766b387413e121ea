import process from 'node:process';

/** Addresses for tests, routed nowhere (RFC 2544). Each test file, a process of its own, has a range of its own. */
const range = `198.18.${process.pid % 256}`;

/** This machine, as the pods see it: their end of each wire is another, ours always has this address. */
export const gateway = `${range}.1`;

let pods = 0;

/** A wire from a new pod's network to this machine. */
export type Wire = Readonly<{ address: string; hook: Readonly<{ path: string; args: string[]; env: string[] }> }>;

/**
 * The next pod's. The hook is run on this machine when the pod's namespaces are there and nothing in them runs yet; it is told the id of the
 * process by its standard input. The wire vanishes with the pod, however that ends.
 */
export function nextWire(): Wire {
  pods += 1;
  const address = `${range}.${pods + 1}`;
  const ours = `dwd${process.pid}-${pods}`;
  const script = [
    'set -e',
    `pid=$(sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p')`,
    `ip link add ${ours} type veth peer name eth0 netns "$pid"`,
    `ip addr add ${gateway} peer ${address} dev ${ours}`,
    `ip link set ${ours} up`,
    `nsenter --target "$pid" --net sh -c 'ip link set lo up; ip addr add ${address} peer ${gateway} dev eth0; ip link set eth0 up; ip route add default via ${gateway}'`,
  ].join('\n');
  return {
    address,
    hook: { path: '/bin/sh', args: ['sh', '-c', script], env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'] },
  };
}
