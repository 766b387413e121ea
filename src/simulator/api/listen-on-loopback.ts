import type { Server } from 'node:net';

/** Connections that the kernel keeps while we are busy: all shoots may be probed, and all kubelets may come, at one instant. */
const backlog = 1_024;

/** Listens on 127.0.0.1; port 0 stands for any free one. Answers the port. Rejects where it cannot be had. */
export async function listenOnLoopback(tcp: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject);
    tcp.listen(port, '127.0.0.1', backlog, resolve);
  });
  const address = tcp.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
