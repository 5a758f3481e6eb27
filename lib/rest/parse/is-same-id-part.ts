import { formatId } from '../../model/values/resource-id.js';
import type { Attribute } from '../../model/surface/surface.js';

/** Whether two values of a key field are the same as ids are written: dates by their time, bytes by their content. */
export function isSameIdPart(attribute: Attribute, left: unknown, right: unknown): boolean {
  const text = (value: unknown): string =>
    String(formatId({ name: attribute.name, fields: [attribute] }, { [attribute.name]: value }, '_'));
  return text(left) === text(right);
}
