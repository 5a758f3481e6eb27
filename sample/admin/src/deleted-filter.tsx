import { BooleanInput, type BooleanInputProps } from 'react-admin';

/** Shows deleted records, to callers who may see them. */
export function DeletedFilter(props: BooleanInputProps) {
  return (
    <BooleanInput
      {...props}
      parse={(checked: boolean) => (checked ? { not: null } : undefined)}
      format={(value: unknown) => value !== undefined && value !== null && value !== ''}
    />
  );
}
