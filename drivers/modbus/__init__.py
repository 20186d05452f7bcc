"""Tables made of Modbus modules that anybody can buy, each described by a profile."""
