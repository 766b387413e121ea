import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { kubeconfigCredentials } from '../../src/adapters/credentials/kubeconfig-credentials.ts';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';

function idToken(claims: object): string {
  const parts = [{ alg: 'RS256' }, claims];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.signature`;
}

test('1.5 an OIDC issuer renews an id-token that has expired', async ({ onTestFinished }) => {
  const { ca, certificate, key } = await issueCertificates('issuer');
  const dir = temporaryFolder();
  let issuer = '';
  let renewed = '';
  const asked: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    asked.push(request.url ?? '');
    const discovered = request.url === '/.well-known/openid-configuration';
    const answer = discovered
      ? { issuer, token_endpoint: `${issuer}/token` }
      : { access_token: 'a', token_type: 'bearer', id_token: renewed, expires_in: 3_600 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  renewed = idToken({ iss: issuer, aud: 'us', sub: 'me', iat: 1_700_000_000, exp: 4_000_000_000 });

  const usual = getCACertificates();
  setDefaultCACertificates([...usual, ca]);
  onTestFinished(() => setDefaultCACertificates(usual));
  const config = {
    'id-token': idToken({ exp: 1 }),
    'refresh-token': 'refresh',
    'client-id': 'us',
    'idp-issuer-url': issuer,
    'idp-certificate-authority': 'issuer.crt',
  };
  const path = join(dir, 'kubeconfig');
  writeFileSync(
    path,
    stringify({
      clusters: [{ name: 'seed', cluster: { server: 'https://seed' } }],
      users: [{ name: 'me', user: { 'auth-provider': { name: 'oidc', config } } }],
      contexts: [{ name: 'here', context: { cluster: 'seed', user: 'me' } }],
      'current-context': 'here',
    }),
  );
  const credentials = kubeconfigCredentials([path]);
  const { headers, warnings } = await credentials.read(false);
  expect(headers).toEqual({ authorization: `Bearer ${renewed}` });
  expect(warnings).toEqual([
    'context "here", user "me", idp-certificate-authority has no effect; name its file in $NODE_EXTRA_CA_CERTS',
  ]);
  // Neither that it lives for so many seconds, nor that no other refresh-token came with it, makes it worthless.
  expect((await credentials.read(false)).headers).toEqual(headers);
  expect(asked.filter((url) => url === '/token')).toHaveLength(1);
  expect((await credentials.read(true)).headers).toEqual(headers);
});
