import type { ResourceField } from 'nestjs-resource-api/react-admin';
import type { ReactElement } from 'react';
import { BooleanField, DataTable, DateField, ReferenceField } from 'react-admin';

/** Returns the column of a list that shows a field. */
export function toColumn(field: ResourceField): ReactElement {
  const { source, may } = field;
  const value = valueOf(field);
  return (
    <DataTable.Col key={source} source={source} disableSort={!may.sort}>
      {value}
    </DataTable.Col>
  );
}

function valueOf({ source, kind, reference = '' }: ResourceField): ReactElement | undefined {
  if (kind === 'reference') return <ReferenceField source={source} reference={reference} />;
  if (kind === 'boolean') return <BooleanField source={source} />;
  if (kind === 'date') return <DateField source={source} />;
  if (kind === 'dateTime') return <DateField source={source} showTime />;
  return undefined;
}
