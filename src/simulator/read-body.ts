import type { IncomingMessage } from 'node:http';
import { ApiRefusal, badRequest } from './api-refusal.ts';
import type { Body } from './resource-answer.ts';

/** As the real server's. */
const largestBody = 3 * 1024 * 1024;

/** A request's body as JSON; `content` is undefined where there is none. Throws ApiRefusal. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > largestBody) {
      const message = `Request entity too large: limit is ${largestBody}`;
      throw new ApiRefusal({ code: 413, reason: 'RequestEntityTooLarge', message });
    }
    chunks.push(chunk as Buffer);
  }
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? '';
  if (size === 0) return { type, content: undefined };
  try {
    return { type, content: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch (cause) {
    throw badRequest(
      `couldn't get version/kind; json parse error: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}
