import type { InputKind, ResourceField } from 'nestjs-resource-api/react-admin';
import { Fragment, type ReactElement } from 'react';
import {
  AutocompleteArrayInput,
  AutocompleteInput,
  BooleanInput,
  DateInput,
  DateTimeInput,
  NullableBooleanInput,
  NumberInput,
  ReferenceArrayInput,
  ReferenceInput,
  required,
  SelectInput,
  TextInput,
} from 'react-admin';

/** What all inputs have in common. */
interface Shared {
  readonly source: string;
  readonly helperText: string | false;
  readonly validate: ReturnType<typeof required> | [];
}

/** Returns the input that edits a field. */
export function toInput(field: ResourceField): ReactElement {
  const { source, kind, required: isRequired, documentation } = field;
  const shared: Shared = { source, helperText: documentation ?? false, validate: isRequired ? required() : [] };
  return <Fragment key={source}>{(INPUTS[kind] ?? textInput)(shared, field)}</Fragment>;
}

const textInput = (shared: Shared): ReactElement => <TextInput {...shared} />;

const INPUTS: Readonly<Partial<Record<InputKind, (shared: Shared, field: ResourceField) => ReactElement>>> = {
  boolean: (shared, field) => (field.required ? <BooleanInput {...shared} /> : <NullableBooleanInput {...shared} />),
  date: (shared) => <DateInput {...shared} />,
  dateTime: (shared) => <DateTimeInput {...shared} />,
  select: (shared, { choices = [] }) => <SelectInput {...shared} choices={[...choices]} />,
  number: (shared) => <NumberInput {...shared} />,
  // A text, which keeps all digits.
  decimal: (shared) => <TextInput {...shared} inputMode="decimal" />,
  reference: (shared, { source, reference = '' }) => (
    <ReferenceInput source={source} reference={reference}>
      <AutocompleteInput {...shared} filterToQuery={toQuery} />
    </ReferenceInput>
  ),
  references: (shared, { source, reference = '' }) => (
    <ReferenceArrayInput source={source} reference={reference}>
      <AutocompleteArrayInput {...shared} filterToQuery={toQuery} />
    </ReferenceArrayInput>
  ),
};

function toQuery(q: string): object {
  return { q };
}
