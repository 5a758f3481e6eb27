import { withoutDirectives } from './parse-api-comment.js';

/** The triple-slash comment of a model, field or enum, without what it says about exposure. */
export function readDocumentation({ documentation = '' }: { readonly documentation?: string }): { readonly documentation?: string } {
  const text = withoutDirectives(documentation);
  return text === '' ? {} : { documentation: text };
}
