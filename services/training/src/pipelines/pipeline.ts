/** What runs belong to. */
export interface Pipeline {
  id: string;
  name: string;
  createdAt: Date;
}
