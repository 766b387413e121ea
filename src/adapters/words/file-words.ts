/** What the system says of a file that cannot be used, in words. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file of that name exists already',
  EINVAL: 'the system does not accept the name',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a directory',
  ELOOP: 'a symbolic link leads back to itself',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'no such file',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of the path is no directory',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ESTALE: 'the file system is gone',
};

/** The system's name of an error, such as `ENOENT`; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why a file cannot be used: `permission denied`. What the system has no name for is told as it is. */
export function fileErrorWords(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return words[code] ?? code;
}
