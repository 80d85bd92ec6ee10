@events
Feature: Those who follow what happens to plans

  Every change of every plan is an event, whichever instance makes it. Whoever
  follows hears each once, those of a plan in the order of its versions, and all
  who follow hear them in one order.

  Scenario Outline: a plan is applied while somebody hears the events, <where>
    Given <where>
    And a plan at execute/complete
    When two callers apply the plan and another makes a plan
    And two callers hear the events
    Then the plan is applied once
    And everybody hears every change of every plan once, in order

    Examples:
      | where                                                |
      | a plan service in memory                             |
      | two instances of the plan service on one SQLite file |

  Scenario: two callers make plans at once
    Given a plan service in memory
    When two callers make a plan
    Then everybody hears every change of every plan once, in order

  Scenario: a plan is archived and deleted while others are made
    Given a plan service in memory
    And a plan at apply/applied
    When one caller archives the plan and then deletes the plan while another makes a plan and then hears the events
    Then nobody gets an error
    And everybody hears every change of every plan once, in order
