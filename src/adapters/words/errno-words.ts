import { errorWords } from './plain-words.ts';

/** What the codes of sockets, DNS, files, TLS and HTTP mean, in the words that operators know from other programs. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'the server closed the connection',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'timed out',
  ESOCKETTIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file of that name exists already',
  ENAMETOOLONG: 'the name is too long',
  EINVAL: 'the system does not accept the name',
  ELOOP: 'a symbolic link leads back to itself',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  ENOSPC: 'no space left on the device',
  EROFS: 'the file system is read-only',
  ESTALE: 'the file system is gone',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'the address is not one of this machine',
  EPROTO: 'the server does not speak TLS as we do',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server wants a client certificate',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'the server does not accept our client certificate: it does not know its authority',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'the server does not accept our client certificate: it has expired',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'the server does not accept our client certificate',
};

const certificateFaults: readonly (readonly [RegExp, string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'it has expired'],
  [/^CERT_NOT_YET_VALID$/, 'it is not valid yet'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'it is for another name'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)|CERT_(UNTRUSTED|SIGNATURE_FAILURE))$/,
    'it is from an unknown authority',
  ],
  [/^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/, 'its authority may not issue it'],
  [/^UNSPECIFIED: .*key too weak/, 'its key is too weak: RSA needs 2,048 bits at least'],
  [/^UNSPECIFIED: .*md too weak/, 'its signature is too weak: it needs SHA-256 at least'],
];

/** `it has expired` for `CERT_HAS_EXPIRED`; the code itself where it has no words. */
export function certificateFaultWords(code: string): string {
  return certificateFaults.find(([codes]) => codes.test(code))?.[1] ?? code;
}

/** `connection refused` for `ECONNREFUSED`; undefined for a code that has no words. */
export function errnoWords(code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}

/** The system's name of an error, such as `ENOENT`; undefined where it has none. Node has no name for many faults of certificates: these have their message. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return error.code === 'UNSPECIFIED' ? `${error.code}: ${error.message}` : error.code;
}

/** Why a file cannot be used: `permission denied`. What the system has no name for is told as it is. */
export function fileErrorWords(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? errorWords(error) : (errnoWords(code) ?? code);
}
