export { InvalidFieldsError } from "@aiplatform/service-host";
