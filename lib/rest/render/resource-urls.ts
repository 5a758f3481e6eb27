import { type Resource } from '../../model/resource-model.js';
import { type RelationshipTarget } from '../parse/parse-target.js';
import { type RestSettings } from '../rest-settings.js';
import { type RelationshipLinks } from './document.js';

/** `<endpoint>/<type>`; links come from the option `endpoint` alone, never from the request. */
export function collectionUrl(resource: Resource, settings: RestSettings): string {
  let urls = collectionUrls.get(settings);
  if (!urls) {
    urls = new WeakMap();
    collectionUrls.set(settings, urls);
  }
  let url = urls.get(resource);
  if (url === undefined) {
    url = `${settings.endpoint}/${encodeURIComponent(resource.type)}`;
    urls.set(resource, url);
  }
  return url;
}

const collectionUrls = new WeakMap<RestSettings, WeakMap<Resource, string>>();

/** `<endpoint>/<type>/<id>`: the `self` link of a resource, and the `Location` of a new one. */
export function resourceUrl(resource: Resource, id: string | number, settings: RestSettings): string {
  return `${collectionUrl(resource, settings)}/${encodeURIComponent(id)}`;
}

/** The links of a relationship, below the URL of the resource that has it; `path` is its member name, percent-encoded. */
export function relationshipUrls(self: string, path: string): RelationshipLinks {
  return { self: `${self}/relationships/${path}`, related: `${self}/${path}` };
}

/** {@link relationshipUrls} of a path. */
export function targetRelationshipUrls({ resource, id, relationship }: RelationshipTarget, settings: RestSettings): RelationshipLinks {
  return relationshipUrls(resourceUrl(resource, id.text, settings), encodeURIComponent(relationship.member));
}
