import { type Document } from './document.js';

/** The URL of the one resource that a document holds: the `Location` of one that was created equals it exactly (CR-08). */
export function selfLink({ data, links }: Document): string {
  return data !== null && 'links' in data ? data.links.self : links.self;
}
