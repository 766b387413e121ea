import { badRequest } from '../store/api-refusal.ts';
import { asObject, isObject } from '../store/kube-object.ts';
import { textAt } from '../../domain/value-at.ts';
import type { Authorize } from './access.ts';
import type { ApiRequest, Verb } from './api-request.ts';

/** A user asks what it may do itself, as `kubectl auth can-i` does. Every authenticated user may ask. */
export function isAccessReview({ verb, path }: ApiRequest): boolean {
  return verb === 'create' && path === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
}

/** The answer to a SelfSubjectAccessReview of one resource, as JSON. Throws ApiRefusal. */
export function reviewAccess(authorize: Authorize, user: string, content: unknown): string {
  if (!isObject(content) || !isObject(asObject(content['spec'])['resourceAttributes']))
    throw badRequest('expected a SelfSubjectAccessReview with resourceAttributes');
  const asked = (key: string) => textAt(content, 'spec', 'resourceAttributes', key);
  const [resource, subresource] = [asked('resource'), asked('subresource')];
  const allowed = authorize({
    user,
    verb: asked('verb') as Verb,
    group: asked('group'),
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace: asked('namespace'),
    name: asked('name'),
  });
  return JSON.stringify({ ...content, metadata: {}, status: { allowed } });
}
